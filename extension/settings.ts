/**
 * The extension's settings: one schema, from which the stored form, the managed policy (`managed-schema.json`) and the
 * options page's checks all come. Credentials are not settings: they live in `background/settings/secrets.ts` and are
 * never read back into a page (Law 3).
 */
import { z } from 'zod/mini';
import { defaultGuardPolicy } from '../shared/numbers/dial/allow-or-refuse.ts';
import { GuardPolicy, NumberSettings } from '../shared/numbers/number-settings.ts';
import { RecordTemplate } from '../shared/record/template.ts';
import { OutcomeCode } from '../shared/record/wrap-up.ts';
import { FieldMapText } from '../shared/service/field-map.ts';
import {
  ApiVersion,
  CallerCode,
  CallerId,
  callMethods,
  TimeoutSeconds,
  tokenPlaces,
} from '../shared/service/request.ts';
import { parseSiteRule } from './parse-site.ts';

const baseAddress = z.string().check(
  z.refine(
    (value) => {
      if (!URL.canParse(value)) return false;
      const url = new URL(value);
      return /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
    },
    { error: 'expected an address like https://relay.example.com, without user name, query or fragment' },
  ),
);

export const returnPlaces = ['relay', 'own', 'none'] as const;

/** How calls are placed. `relay`: the relay holds the service token. `direct`: this browser sends `/call` itself. */
const Connection = z.object({
  mode: z._default(z.enum(['relay', 'direct']), 'relay'),
  /** Relay mode: required. Direct mode: optional, follows the call to its end. */
  relayUrl: z.optional(baseAddress),
  direct: z.prefault(
    z.object({
      primaryUrl: z.optional(baseAddress),
      secondaryUrl: z.optional(baseAddress),
      /** The local PBX (`http://host:3000`); used instead of the cloud when `useLocal`. */
      localUrl: z.optional(baseAddress),
      useLocal: z._default(z.boolean(), false),
      tokenIn: z._default(z.enum(tokenPlaces), 'header'),
      method: z._default(z.enum(callMethods), 'post'),
      version: z._default(ApiVersion, 'v1'),
      map: z.optional(FieldMapText),
      /** `relay`: the relay's capability URL, when a relay is set; `own`: `ownReturnUrl`; `none`. */
      returnTo: z._default(z.enum(returnPlaces), 'relay'),
      ownReturnUrl: z.optional(baseAddress),
      /** Places the call even if it cannot be announced to the relay. We then do not learn the call's end. */
      placeWithoutRelay: z._default(z.boolean(), false),
    }),
    {},
  ),
  /** Allows plain http beyond loopback, where others on the network can read the token. */
  allowPlaintext: z._default(z.boolean(), false),
});

const Agent = z.object({
  /** Code of the agent or extension: the service's `from`. */
  from: z.optional(CallerCode),
  timeout: z.optional(TimeoutSeconds),
  forceFrom: z._default(z.boolean(), false),
  callerid: z.optional(CallerId),
  /** For how many seconds after a call the agent is asked before another call to the same number. */
  askAgainSeconds: z._default(z.int().check(z.minimum(0), z.maximum(600)), 60),
});

/** A site: a host `crm.example`, or `*.crm.example`. Of a whole address, only the host is kept. */
const SiteRule = z.string().check(
  z.refine((value) => parseSiteRule(value) !== undefined, {
    error: 'expected a host like crm.example.com, or *.example.com for all hosts below it',
  }),
  z.overwrite((value) => parseSiteRule(value) ?? value),
);

/** The most excluded numbers. Older ones are dropped. */
export const maxExcludedNumbers = 1_000;
/** The most sites in a list. Browsers register a pattern for each. */
export const maxSites = 1_000;
const SiteRules = z.array(SiteRule).check(z.maxLength(maxSites));

const Sites = z.object({
  /** Whether numbers are marked on every site that is not blocked. This needs the permission for all sites. */
  everywhere: z._default(z.boolean(), false),
  enabled: z._default(SiteRules, []),
  /** Hosts of `enabled` that were turned on as frames of a page. The options list them under that page. */
  frames: z._default(
    z.array(z.object({ page: z.string(), host: z.string() })).check(z.maxLength(maxSites)),
    [],
  ),
  blocked: z._default(SiteRules, []),
  /** Numbers, as displayed, that are not marked on a site. */
  excludedNumbers: z._default(
    z.array(z.object({ host: z.string(), number: z.string() })).check(z.maxLength(maxExcludedNumbers)),
    [],
  ),
});

const Appearance = z.object({
  theme: z._default(z.enum(['auto', 'light', 'dark']), 'auto'),
  /** Empty: the browser's language. */
  language: z._default(z.enum(['', 'en', 'pt_BR', 'es']), ''),
  underline: z._default(z.enum(['dotted', 'solid', 'none']), 'dotted'),
  /** The wait until the tip appears. A click counts only once the tip was visible for long enough. */
  tipDelayMs: z._default(z.int().check(z.minimum(0), z.maximum(1000)), 0),
  notifications: z._default(z.boolean(), false),
});

/**
 * Settings that add to the relay's rules or limit them (`rules-with-policy.ts`). Only a policy sets them: the options
 * page has no field for them.
 */
const Records = z.object({
  /** Further addresses of records that the relay already knows. */
  templates: z._default(z.array(RecordTemplate).check(z.maxLength(50)), []),
  /** The codes of the outcomes that are offered, in this order. Empty: all outcomes of the relay. */
  outcomes: z._default(z.array(OutcomeCode).check(z.maxLength(30)), []),
});

const maxDoNotCall = 10_000;
const isPrefix = /^\+?(?:[\s()./-]*\d){1,15}\s*\*$/;
/** The shortest numbers with a country code have seven digits. */
const isWholeNumber = /^(?:\+(?:[\s()./-]*\d){7,15}|(?:[\s()./-]*\d){2,15})\s*$/;
/** A number as people write it. Only its form is checked: a number that cannot be read has no effect. */
const NeverCalledNumber = z.string().check(
  z.refine((written) => isPrefix.test(written) || isWholeNumber.test(written), {
    error: 'expected a number like +55 48 99999-8888, or a prefix like +5548*',
  }),
);

export const Settings = z.object({
  /** The version of the stored form. The version changes if readers of the present form would misread the new form. */
  version: z._default(z.int(), 1),
  connection: z.prefault(Connection, {}),
  agent: z.prefault(Agent, {}),
  numbers: z._default(NumberSettings, { country: 'BR', extensions: [], dialRules: [] }),
  guard: z._default(GuardPolicy, defaultGuardPolicy),
  /** Numbers that are never called, and prefixes such as `+5548*`. For longer lists, use a relay. */
  doNotCall: z._default(
    z.array(NeverCalledNumber).check(z.maxLength(maxDoNotCall, `expected at most ${maxDoNotCall} numbers`)),
    [],
  ),
  records: z.prefault(Records, {}),
  sites: z.prefault(Sites, {}),
  appearance: z.prefault(Appearance, {}),
});
export type Settings = z.infer<typeof Settings>;
