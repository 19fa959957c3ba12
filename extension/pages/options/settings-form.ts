/** The form of the options page: a draft of changes to the settings in force, and the secrets. One Save stores both. */
import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { withValues } from '../../dotted-path.ts';
import type { SecretName, TypedSecrets } from '../../messages/pages.ts';
import type { Refusal } from '../../messages/result.ts';
import type { SettingsView } from '../../messages/views.ts';
import { secretOrigins } from '../../secret-origins.ts';
import { focusField } from '../parts/focus-field.ts';
import { isLocked } from '../parts/is-locked.ts';
import {
  lockedRelayOf,
  noSetupEntry,
  readSetup,
  type Setup,
  type SetupEntry,
  setupChanges,
} from '../parts/read-setup.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useSettings } from '../parts/use-settings.ts';
import { withSchemes } from '../parts/used-addresses.ts';
import {
  type DraftChanges,
  problemsOf,
  type SettingsDraft,
  sameSettings,
  withChanges,
  withListChanges,
  withoutFoldedProblems,
  withoutPutBack,
  withoutSaved,
  withWholeRules,
} from './draft.ts';

type Saving = { step: 'idle' | 'saving' | 'saved' } | { step: 'failed'; error: Refusal };

/** The form's state. An untouched field follows changes made elsewhere. */
export function useSettingsForm(initial: SettingsView) {
  const [view, replaceView] = useSettings(initial);
  const [typedSecrets, setSecrets] = useState<TypedSecrets>({});
  const secrets = useMemo(() => withoutManaged(typedSecrets, view), [typedSecrets, view]);
  const [setupEntry, setSetupEntry] = useState(noSetupEntry);
  const [saving, setSaving] = useState<Saving>({ step: 'idle' });
  const isSaving = useRef(false);
  /** Also while secrets are sent. A second save could send the first one's key to its own relay. */
  const isBusy = useRef(false);

  const base = view.settings as unknown as SettingsDraft;
  const [changes, setChanges, expect] = useDraftChanges(view, (old, now) =>
    setSecrets((typed) => withoutRedirected(typed, old, now)),
  );
  const draft = useMemo(() => withValues(base, changes), [base, changes]);
  const { pasted, toSave, problems } = useWhatToSave(view, draft, setupEntry);
  const isChanged = useMemo(() => !sameSettings(base, draft), [base, draft]);
  const unsaved = isChanged || Object.keys(secrets).length > 0 || setupEntry.typed.trim() !== '';

  useUnsavedWarning(unsaved);

  async function save(): Promise<void> {
    if (problems.size > 0 || isBusy.current) return;
    isBusy.current = true;
    try {
      await saveAll();
    } finally {
      isBusy.current = false;
    }
  }

  async function saveAll(): Promise<void> {
    const pastedKey = pasted.setup && { agentKey: pasted.setup.key };
    const typed = withoutManaged({ ...secrets, ...pastedKey }, view);
    setSaving({ step: 'saving' });
    isSaving.current = true;
    expect(toSave);
    const reply = await sendRequest('page.saveSettings', { settings: toSave });
    isSaving.current = false;
    if (!reply.ok) {
      expect(base);
      return setSaving({ step: 'failed', error: reply.error });
    }
    replaceView(reply.value);
    // Changes that the agent made during the save are still unsaved.
    setChanges((now) => withoutSaved(now, changes));
    // Secrets come second: each belongs to a saved address.
    const toStore = withoutRedirected(typed, toSave, reply.value.settings);
    for (const [name, value] of Object.entries(toStore) as [SecretName, string | null][]) {
      const stored = await sendRequest('page.setSecret', { name, value });
      if (!stored.ok) return setSaving({ step: 'failed', error: stored.error });
      replaceView(stored.value);
      setSecrets((now) => (now[name] === value ? withoutSecret(now, name) : now));
    }
    setSetupEntry((now) => (now === setupEntry ? noSetupEntry : now));
    setSaving((now) => (now.step === 'saving' ? { step: 'saved' } : now));
  }

  function change(values: Readonly<Record<string, unknown>>): void {
    setChanges((now) => changedBy(now, values, base, isSaving.current));
    setSaving({ step: 'idle' });
  }

  /** @param value undefined takes back what was typed, or the removal of the secret. */
  function changeSecret(name: SecretName, value: string | null | undefined): void {
    setSecrets((now) => (value === undefined ? withoutSecret(now, name) : { ...now, [name]: value }));
    setSaving({ step: 'idle' });
  }

  return {
    view,
    draft,
    problems,
    unsaved,
    saving,
    save,
    /** Typed secrets that are not saved yet. Null: to be removed. */
    secrets,
    changeSecret,
    /** Sets values by dotted path. */
    change,
    setupEntry,
    setSetupEntry: (entry: SetupEntry) => {
      setSetupEntry(entry);
      setSaving({ step: 'idle' });
    },
    /** Fills the fields from a setup code. */
    fillIn: (setup: Setup) => {
      change(setupChanges(setup, draft, view.locked));
      changeSecret('agentKey', setup.key);
      setSetupEntry(noSetupEntry);
    },
    discard: () => {
      setChanges(new Map());
      setSecrets({});
      setSetupEntry(noSetupEntry);
      setSaving({ step: 'idle' });
    },
    /** Uses the new settings from a reply, after a change that is saved at once (sites). */
    replaceView,
  };
}

/**
 * The changes, kept in step with the settings: lists also change elsewhere, and a policy may set what was typed.
 * @param onFollowed takes the draft before and after it followed the settings.
 * @returns as third a function that takes what is sent to be saved: it was not changed elsewhere.
 */
function useDraftChanges(
  { settings, locked }: SettingsView,
  onFollowed: (old: SettingsDraft, now: SettingsDraft) => void,
) {
  const base = settings as unknown as SettingsDraft;
  const [changes, setChanges] = useState<DraftChanges>(new Map());
  /** The settings that the changes follow already. */
  const followed = useRef(base);
  /** What the next settings are compared with: these, or what is being saved. */
  const before = useRef(base);
  useLayoutEffect(() => {
    if (followed.current === base) return;
    followed.current = base;
    const old = before.current;
    before.current = base;
    const unlocked = new Map([...changes].filter(([path]) => !isLocked(locked, path)));
    const now = withListChanges(unlocked, old, base);
    setChanges(now);
    onFollowed(withValues(old, changes), withValues(base, now));
  });
  const expect = (sent: SettingsDraft) => {
    before.current = sent;
  };
  return [changes, setChanges, expect] as const;
}

/** @param isSaving whether other settings are being saved. Then putting back a field is a change to those settings. */
function changedBy(
  before: DraftChanges,
  values: Readonly<Record<string, unknown>>,
  base: SettingsDraft,
  isSaving: boolean,
): DraftChanges {
  const changes = withChanges(before, withWholeRules(withValues(base, before), values));
  return isSaving ? changes : withoutPutBack(changes, base);
}

/** What Save would store, and the problems that prevent it. */
function useWhatToSave(view: SettingsView, draft: SettingsDraft, setupEntry: SetupEntry) {
  // A pasted code counts as used, since Save uses it.
  const pasted = useMemo(() => readSetup(setupEntry, lockedRelayOf(view)), [view, setupEntry]);
  const toSave = useMemo(() => {
    const base = view.settings as unknown as SettingsDraft;
    const filledIn = pasted.setup ? setupChanges(pasted.setup, draft, view.locked) : {};
    return withoutFoldedProblems(withSchemes(withValues(draft, Object.entries(filledIn))), base);
  }, [view, draft, pasted]);
  const problems = useMemo(() => {
    const found = problemsOf(toSave);
    if (pasted.problem) found.set('setupCode', pasted.problem);
    return found;
  }, [toSave, pasted]);
  return { pasted, toSave, problems };
}

/** Makes the browser ask before the person leaves the page. */
function useUnsavedWarning(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);
}

const withoutSecret = ({ ...secrets }: TypedSecrets, name: SecretName): TypedSecrets => {
  delete secrets[name];
  return secrets;
};

/** A policy may set what was typed before. */
const withoutManaged = (typed: TypedSecrets, { secrets }: SettingsView): TypedSecrets =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => secrets[name as SecretName] !== 'managed'));

/** A secret that was typed for some addresses does not go to another one that a policy or another window sets. */
function withoutRedirected(typed: TypedSecrets, old: SettingsDraft, now: object): TypedSecrets {
  const isRedirected = (name: SecretName) => {
    const origins = secretOrigins(name, withSchemes(old));
    const others = secretOrigins(name, withSchemes(now)).filter((origin) => !origins.includes(origin));
    return origins.length > 0 && others.length > 0;
  };
  const kept = Object.entries(typed).filter(
    ([name, value]) => value === null || !isRedirected(name as SecretName),
  );
  return Object.fromEntries(kept);
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

export const FormContext = createContext<SettingsForm | null>(null);

export function useForm(): SettingsForm {
  const form = useContext(FormContext);
  if (!form) throw new Error('useForm outside of the options page');
  return form;
}

/**
 * The first field that cannot be saved as it is. The field for a new site is left out: it is not saved with the form.
 */
export function firstProblem(): HTMLInputElement | null {
  return document.querySelector('[aria-invalid="true"]:not(#site-host)');
}

export const focusFirstProblem = (): void => focusField(firstProblem());
