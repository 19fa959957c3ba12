/** The text of a call's entry in a CRM: one fact a line, in the operator's language and time zone, the marker last. */
import type { Call } from '../../shared/call/call.ts';
import { type Outcome, outcomeOf } from '../../shared/call/outcome.ts';
import type { WrapUpOutcome } from '../../shared/record/wrap-up.ts';
import type { CrmSystem } from './crm-settings.ts';

type EntryLanguage = CrmSystem['lang'];

interface EntryWords {
  outcomes: Record<Exclude<Outcome, 'live'>, string>;
  called(from: string, to: string): string;
  talked: string;
  outcome: string;
  callBack: string;
  recording: string;
  updated: string;
  moved: string;
  withoutRecord: string;
  test: string;
}

const words: Record<EntryLanguage, EntryWords> = {
  en: {
    outcomes: {
      answered: 'Answered',
      ended: 'Ended; whether they talked is not known',
      busy: 'Busy',
      noAnswer: 'Not answered',
      declined: 'Declined',
      callerNotReached: 'The agent was not reached; the number was not called',
      refused: 'Refused by the calling service',
      notPlaced: 'Not placed',
      mayHaveRung: 'May have rung; the calling service did not answer',
      unknown: 'The end of the call is not known',
    },
    called: (from, to) => `${from} called ${to}`,
    talked: 'talked',
    outcome: 'Outcome',
    callBack: 'Call back',
    recording: 'Recording',
    updated: 'Later',
    moved: 'This call belongs to another record',
    withoutRecord: 'The agent took this call off the record',
    test: 'This is a test by Dialmark’s command “check”; no call was made',
  },
  pt_BR: {
    outcomes: {
      answered: 'Atendida',
      ended: 'Encerrada; não se sabe se houve conversa',
      busy: 'Ocupado',
      noAnswer: 'Não atendida',
      declined: 'Recusada',
      callerNotReached: 'O atendente não foi alcançado; o número não foi chamado',
      refused: 'Recusada pelo serviço de chamadas',
      notPlaced: 'Não realizada',
      mayHaveRung: 'Pode ter tocado; o serviço de chamadas não respondeu',
      unknown: 'Não se sabe como a chamada terminou',
    },
    called: (from, to) => `${from} ligou para ${to}`,
    talked: 'conversa de',
    outcome: 'Resultado',
    callBack: 'Ligar de novo',
    recording: 'Gravação',
    updated: 'Depois',
    moved: 'Esta chamada pertence a outro registro',
    withoutRecord: 'O atendente tirou esta chamada do registro',
    test: 'Este é um teste do comando “check” do Dialmark; nenhuma chamada foi feita',
  },
  es: {
    outcomes: {
      answered: 'Contestada',
      ended: 'Terminada; no se sabe si hablaron',
      busy: 'Ocupado',
      noAnswer: 'Sin respuesta',
      declined: 'Rechazada',
      callerNotReached: 'No se alcanzó al agente; no se llamó al número',
      refused: 'Rechazada por el servicio de llamadas',
      notPlaced: 'No realizada',
      mayHaveRung: 'Puede haber sonado; el servicio de llamadas no respondió',
      unknown: 'No se sabe cómo terminó la llamada',
    },
    called: (from, to) => `${from} llamó a ${to}`,
    talked: 'conversación de',
    outcome: 'Resultado',
    callBack: 'Volver a llamar',
    recording: 'Grabación',
    updated: 'Después',
    moved: 'Esta llamada corresponde a otro registro',
    withoutRecord: 'El agente quitó esta llamada del registro',
    test: 'Esta es una prueba del comando «check» de Dialmark; no se hizo ninguna llamada',
  },
};

interface TextOptions {
  lang: EntryLanguage;
  timezone: string;
  /** The label of the wrap-up's outcome. Absent: its code is written. */
  outcomeLabel: WrapUpOutcome['label'] | undefined;
}

/** `dialmark:CALL-ID` of a call's first entry, `dialmark:CALL-ID/2` of the second. */
export const markerOf = (callId: string, part: number): string =>
  `dialmark:${callId}${part > 1 ? `/${part}` : ''}`;

/** @param part from 1; a later part says what is known by then. */
export function entryText(call: Call, part: number, options: TextOptions): string {
  const said = words[options.lang];
  const outcome = outcomeOf(call);
  const talked = call.talkSeconds ? `, ${said.talked} ${clockDuration(call.talkSeconds)}` : '';
  const summary = `${outcome === 'live' ? said.outcomes.unknown : said.outcomes[outcome]}${talked}`;
  return [
    part > 1 ? `${said.updated}: ${summary}` : summary,
    said.called(call.from, call.to),
    localTime(call.startedAt ?? call.createdAt, options.timezone),
    ...wrapUpLines(call, said, options),
    ...(call.recordingUrl ? [`${said.recording}: ${call.recordingUrl}`] : []),
    markerOf(call.id, part),
  ].join('\n');
}

/** The text for a record that the call has left: an entry is amended, never deleted. */
export function movedText({ id, record }: Call, part: number, { lang }: TextOptions): string {
  const { moved, withoutRecord } = words[lang];
  return [record ? `${moved}: ${record.url}` : withoutRecord, markerOf(id, part)].join('\n');
}

/** What `check` writes where the operator names a record for it. */
export const testText = (marker: string, lang: EntryLanguage): string => `${words[lang].test}\n${marker}`;

function wrapUpLines(
  { wrapUp }: Call,
  said: EntryWords,
  { lang, timezone, outcomeLabel: label }: TextOptions,
): string[] {
  if (!wrapUp) return [];
  const { outcome, note, callBackAt } = wrapUp;
  return [
    ...(outcome ? [`${said.outcome}: ${label?.[lang] ?? label?.en ?? outcome}`] : []),
    ...(callBackAt ? [`${said.callBack}: ${localTime(callBackAt, timezone)}`] : []),
    ...(note ? [printableNote(note)] : []),
  ];
}

/**
 * Removes from the note what would break a CRM or turn other lines around. These are control characters, halves of a
 * surrogate pair, and marks that override the direction of text. Letters of any script stay.
 */
const printableNote = (note: string): string =>
  note
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu, (character) =>
      character === '\n' || character === '\t' ? character : '',
    )
    .trimEnd();

/** `0:42`, `1:02:03`. */
function clockDuration(seconds: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0
    ? `${minutes}:${twoDigits(seconds % 60)}`
    : `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

/** `2026-11-23 11:02:10 -03:00`: unambiguous in every country, with the offset of that day. */
function localTime(instant: string, timeZone: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const offset = parts.timeZoneName!.replace('GMT', '') || '+00:00';
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${offset}`;
}
