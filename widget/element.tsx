/**
 * `<dialmark-widget>`: shows an agent's calls on any page, and places them in `dial` mode.
 *
 *     <script type="module" src="https://relay.example/widget.js"></script>
 *     <dialmark-widget relay="https://relay.example" ticket-url="/my-backend/dialmark-ticket"></dialmark-widget>
 *
 * It holds a short-lived ticket and never the service token (Law 5). Its shadow root is open, so that pages can style its
 * parts and assistive tools and tests can look inside; there is nothing in it that the page may not know.
 *
 * @tag dialmark-widget
 * @attr {string} relay - Address of the relay, `https://relay.example`. Needed.
 * @attr {string} ticket-url - Address of this site that answers `{"ticket": "…"}`. Needed, unless `getTicket` is set.
 * @attr {"state"|"dial"} mode - `state` (default) shows calls; `dial` has a field to place them, too.
 * @attr {boolean} compact - One line: the newest call alone.
 * @attr {string} lang - `en`, `pt-BR` or `es`; default: the language of what it stands in, then the browser's.
 * @attr {string} country - ISO 3166 code of the country whose numbers are written without one; default: the region of `lang`.
 * @attr {"auto"|"light"|"dark"} theme - `auto` (default) follows the system.
 *
 * @prop {() => Promise<string>} getTicket - Gives a ticket, instead of `ticket-url`.
 * @prop {readonly Call[]} calls - The calls it knows, newest first. Read only.
 * @method {(number: string) => Promise<Call>} dial - Places a call; rejects with an error whose `code` says why not.
 *
 * @event {CustomEvent<Call>} dialmark:call - A call is new or has changed; `detail` is the Call.
 * @event {CustomEvent<{code: string, message: string}>} dialmark:error - Something is wrong; `code` is from a closed list.
 * @event {CustomEvent<{calls: readonly Call[]}>} dialmark:ready - It is connected and knows the recent calls.
 *
 * @slot header - Above everything; empty by default.
 * @slot empty - Shown while there are no calls.
 *
 * @csspart widget - The whole.
 * @csspart call - The newest call.
 * @csspart state - The sentence that says what is known of it.
 * @csspart clock - The running clock.
 * @csspart number - A phone number.
 * @csspart recent - The calls before it.
 * @csspart recording - Player and link of a recording.
 * @csspart callflow - The way of the call, drawn and as a table.
 * @csspart notice - What is wrong with the connection.
 * @csspart retry - The button in it.
 * @csspart empty - Shown while there are no calls.
 * @csspart loading - Shown before the first answer.
 * @csspart dial - The form of `dial` mode.
 * @csspart input - Its number field.
 * @csspart button - Its button.
 * @csspart dial-fault - Why the last press placed nothing.
 *
 * @cssprop --dialmark-accent - Links, buttons, the mark of a live call.
 * @cssprop --dialmark-background - Background.
 * @cssprop --dialmark-color - Text.
 * @cssprop --dialmark-muted - Text of less weight.
 * @cssprop --dialmark-border - Lines.
 * @cssprop --dialmark-good - The mark of a call that was answered.
 * @cssprop --dialmark-bad - The mark and text of one that failed.
 * @cssprop --dialmark-radius - Corners of the whole; default 10px.
 * @cssprop --dialmark-font - Font family; default system-ui.
 */
import { render } from 'preact';
import type { Call } from '../shared/call/call.ts';
import { judgeNumber } from './dial/judge-number.ts';
import { placeCall } from './dial/place-call.ts';
import { isLive } from './follow/known-calls.ts';
import type { Snapshot } from './follow/session.ts';
import { joinSession, leaveSession, type Shared } from './follow/sessions.ts';
import css from './style.css?inline';
import { Widget } from './view/widget.tsx';
import { type DialFault, WidgetError } from './widget-error.ts';
import { chooseLanguage } from './words/language.ts';

const tag = 'dialmark-widget';
/** The longest that a picture may lag in a tab where no frames are drawn. */
const hiddenFrameMs = 250;

let sheet: CSSStyleSheet | undefined;

/** A server renders pages too, and has no elements. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

export class DialmarkWidget extends Base {
  static readonly observedAttributes = ['relay', 'ticket-url', 'mode', 'compact', 'lang', 'country'];

  #getTicket: (() => Promise<string>) | undefined;
  #joined: Shared | undefined;
  /** What is wrong with the attributes. */
  #setUp = '';
  #configuring = false;
  #drawing = false;
  #ticking: ReturnType<typeof setTimeout> | undefined;
  #typed = '';
  #pressed = false;
  #dialFault: DialFault | undefined;

  get getTicket(): (() => Promise<string>) | undefined {
    return this.#getTicket;
  }
  set getTicket(value: (() => Promise<string>) | undefined) {
    if (value === this.#getTicket) return;
    this.#getTicket = value;
    this.#configure();
  }

  get calls(): readonly Call[] {
    return this.#snapshot.calls;
  }

  /** @throws (as a rejection) WidgetError whose `code` is one of `dialFaults`. */
  async dial(number: string): Promise<Call> {
    try {
      const to = judgeNumber(String(number));
      if (this.#busy) throw new WidgetError('busy', 'a call is under way');
      if (!this.#joined) throw new WidgetError('notPlaced', this.#setUp);
      this.#pressed = true;
      this.#dialFault = undefined;
      this.#draw();
      const call = await placeCall(this.#relay, this.#joined.tickets, to);
      this.#joined?.session.learn(call);
      return call;
    } catch (error) {
      this.#dialFault = (error as WidgetError).code as DialFault;
      this.#tell('error', error);
      throw error;
    } finally {
      this.#pressed = false;
      this.#draw();
    }
  }

  connectedCallback(): void {
    // What a page set before this class was there hides the accessor.
    if (Object.hasOwn(this, 'getTicket')) {
      const { getTicket } = this;
      Reflect.deleteProperty(this, 'getTicket');
      this.getTicket = getTicket;
    }
    sheet ??= new CSSStyleSheet();
    if (!sheet.cssRules.length) sheet.replaceSync(css);
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#configure();
    this.#paint();
  }

  disconnectedCallback(): void {
    this.#configure();
  }

  attributeChangedCallback(name: string): void {
    if (/relay|url/.test(name)) this.#configure();
    this.#draw();
  }

  get #relay(): string {
    return (this.getAttribute('relay') ?? '').replace(/\/+$/, '');
  }

  get #snapshot(): Snapshot {
    return (
      this.#joined?.session.snapshot ?? {
        calls: [],
        connection: this.#setUp ? { name: 'down', fault: 'setUp' } : { name: 'connecting' },
        ready: false,
      }
    );
  }

  get #busy(): boolean {
    return this.#pressed || this.#snapshot.calls.some(isLive);
  }

  /** Follows what the attributes now say: once for all that a script does in one go, moving the element included. */
  #configure(): void {
    if (this.#configuring) return;
    this.#configuring = true;
    queueMicrotask(() => {
      this.#configuring = false;
      const left = this.#joined;
      this.#joined = undefined;
      const source = this.#getTicket ?? this.getAttribute('ticket-url');
      if (this.isConnected) {
        this.#setUp = !/^https?:/.test(this.#relay)
          ? 'expected relay="https://…"'
          : source
            ? ''
            : 'expected ticket-url or getTicket';
        if (source && !this.#setUp) this.#joined = joinSession(this.#relay, source, this.#tell);
        else this.#tell('error', new WidgetError('setUp', this.#setUp));
      }
      // Left last, and not at all where it goes on: a moved element keeps its stream.
      if (left && left !== this.#joined) leaveSession(left, this.#tell);
      this.#draw();
    });
  }

  readonly #tell = (name: string, detail?: unknown): void => {
    this.#draw();
    if (name === 'change') return;
    if (detail instanceof WidgetError) {
      const { code, message } = detail;
      if (code === 'setUp') console.error(`<${tag}>: ${message}`);
      detail = { code, message };
    }
    this.dispatchEvent(new CustomEvent(`dialmark:${name}`, { bubbles: true, composed: true, detail }));
  };

  /** Draws once before the next frame, however much happened: a thousand events a second are sixty pictures. */
  #draw(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    const paint = () => this.#drawing && this.#paint();
    requestAnimationFrame(paint);
    setTimeout(paint, hiddenFrameMs);
  }

  #paint(): void {
    this.#drawing = false;
    clearTimeout(this.#ticking);
    if (!this.isConnected) return;
    const snapshot = this.#snapshot;
    const language = chooseLanguage([this.closest('[lang]')?.getAttribute('lang'), ...navigator.languages]);
    render(
      <Widget
        {...snapshot}
        language={language}
        region={this.getAttribute('country')?.toUpperCase() ?? language.region}
        mode={this.getAttribute('mode') === 'dial' ? 'dial' : 'state'}
        compact={this.hasAttribute('compact')}
        now={Date.now()}
        pageProtocol={location.protocol}
        dial={{ typed: this.#typed, busy: this.#busy, fault: this.#dialFault }}
        onRetry={() => this.#joined?.session.retry()}
        onDial={() =>
          // What was typed, not what was painted last: Enter may come before the next frame.
          this.dial(this.#typed).then(
            () => {
              this.#typed = '';
            },
            () => {}, // The form says it, and so did dialmark:error.
          )
        }
        onType={(typed) => {
          this.#typed = typed;
          this.#dialFault = undefined;
          this.#draw();
        }}
      />,
      this.shadowRoot!,
    );
    if (snapshot.calls.some(isLive))
      this.#ticking = setTimeout(() => this.#draw(), 1000 - (Date.now() % 1000));
  }
}

// A page may load two copies of this file; the first one stays.
if (globalThis.customElements && !customElements.get(tag)) customElements.define(tag, DialmarkWidget);
