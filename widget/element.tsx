/**
 * `<dialmark-widget>`: shows an agent's calls on any page, and places them in `dial` mode.
 *
 *     <script type="module" src="https://relay.example/widget.js"></script>
 *     <dialmark-widget relay="https://relay.example" ticket-url="/my-backend/dialmark-ticket"></dialmark-widget>
 *
 * It holds a short-lived ticket and never the service token (Law 5). Its shadow root is open, so that pages
 * can style its parts, and assistive tools and tests can read it; it contains nothing that the page may not
 * know.
 *
 * @tag dialmark-widget
 * @attr {string} relay - Address of the relay, `https://relay.example`. Needed.
 * @attr {string} ticket-url - Address of this site that answers `{"ticket": "…"}`. Needed, unless `getTicket` is set.
 * @attr {"state"|"dial"} mode - `state` (default) shows calls; `dial` has a field to place them, too.
 * @attr {boolean} compact - One line: the newest call alone.
 * @attr {string} lang - `en`, `pt-BR` or `es`; default: the language of the surrounding element, then the browser's.
 * @attr {string} country - ISO 3166 code of the country of numbers without a calling code; default: the
 *   region of `lang`.
 * @attr {"auto"|"light"|"dark"} theme - `auto` (default) follows the system.
 *
 * @prop {() => Promise<string>} getTicket - Returns a ticket, instead of `ticket-url`.
 * @prop {readonly Call[]} calls - The known calls, newest first. Read only.
 * @method {(number: string) => Promise<Call>} dial - Places a call; rejects with an error whose `code` says why not.
 *
 * @event {CustomEvent<Call>} dialmark:call - A call is new or has changed; `detail` is the Call.
 * @event {CustomEvent<{code: string, message: string}>} dialmark:error - Something is wrong; `code` is from
 *   a closed list.
 * @event {CustomEvent<{calls: readonly Call[]}>} dialmark:ready - It is connected and knows the recent
 *   calls; again after an outage.
 *
 * @slot header - Above everything; empty by default.
 * @slot empty - Shown while there are no calls.
 * @slot - What stands inside the tag: shown until the script has loaded, and while there is no connection.
 *
 * @csspart widget - The whole.
 * @csspart call - The newest call.
 * @csspart state - The sentence that describes it.
 * @csspart clock - The running clock.
 * @csspart number - A phone number.
 * @csspart hang-up - The button that ends the newest call, where the calling service can; the ticket needs
 *   the right `hangup`.
 * @csspart recent - The calls before it.
 * @csspart recording - Player and link of a recording.
 * @csspart callflow - The call path, drawn and as a table.
 * @csspart notice - What is wrong with the connection.
 * @csspart retry - The button in it.
 * @csspart empty - Shown while there are no calls.
 * @csspart loading - Shown before the first answer.
 * @csspart dial - The form of `dial` mode.
 * @csspart input - Its number field.
 * @csspart button - Its button.
 * @csspart dial-fault - Why the last press placed nothing.
 * @csspart redial - In `dial` mode, the button that calls a finished call's number again.
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
import { parseDialNumber } from './dial/phone-number.ts';
import { placeCallByTicket } from './dial/place-call.ts';
import { isLive } from './session/call-list.ts';
import { hangUpAtRelay } from './session/hang-up.ts';
import { isReady, type SessionSnapshot } from './session/session.ts';
import { joinSharedSession, leaveSharedSession, type SharedSession } from './session/shared-sessions.ts';
import css from './style.css?inline';
import { pickLanguage } from './texts.ts';
import { Widget } from './view/widget.tsx';
import { type DialFault, WidgetError } from './widget-error.ts';

const tag = 'dialmark-widget';
/** How long a tab without animation frames may delay a rendering. */
const maxRenderDelayMs = 250;

/** Servers that render pages also import this file. They have no HTMLElement. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

export class DialmarkWidget extends Base {
  static readonly observedAttributes = ['relay', 'ticket-url', 'mode', 'compact', 'lang', 'country'];

  #getTicket: (() => Promise<string>) | undefined;
  #joined: SharedSession | undefined;
  /** What is wrong with the attributes; empty if they are right. */
  #setUpError = '';
  #isConfiguring = false;
  #isRenderPending = false;
  #clockTimer: ReturnType<typeof setTimeout> | undefined;
  #typed = '';
  /** The number whose call is being placed, as it was typed. */
  #placing: string | undefined;
  #dialFault: DialFault | undefined;
  /** The call whose end is being requested. */
  #hangingUp: string | undefined;
  #hangUpFault: string | undefined;

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
      const to = parseDialNumber(String(number));
      if (this.#isBusy) throw new WidgetError('busy', 'in a call');
      // Another agent may have signed in before the reply arrives. This call does not belong to that agent.
      const joined = this.#joined;
      if (!joined || this.#isOffline) throw new WidgetError('notPlaced', this.#setUpError || 'offline');
      this.#placing = number;
      this.#dialFault = undefined;
      this.#requestRender();
      const call = await placeCallByTicket(this.#relay, joined.getTicket, to).finally(() => {
        this.#placing = undefined;
        this.#requestRender();
      });
      joined.session.add(call);
      return call;
    } catch (error) {
      this.#dialFault = (error as WidgetError).code as DialFault;
      this.#notify('error', error);
      throw error;
    }
  }

  connectedCallback(): void {
    // If the page set the value before this class was loaded, the value hides the accessor.
    if (Object.hasOwn(this, 'getTicket')) {
      const { getTicket } = this;
      Reflect.deleteProperty(this, 'getTicket');
      this.getTicket = getTicket;
    }
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    // A move to another document, such as a picture-in-picture window, takes the sheets away. That document accepts
    // only its own sheets. (jsdom has none.)
    if (!root.adoptedStyleSheets?.[0]) {
      const sheet = new this.ownerDocument.defaultView!.CSSStyleSheet();
      sheet.replaceSync(css);
      root.adoptedStyleSheets = [sheet];
    }
    this.#configure();
    this.#render();
  }

  disconnectedCallback(): void {
    this.#configure();
  }

  attributeChangedCallback(name: string): void {
    if (/relay|url/.test(name)) this.#configure();
    this.#requestRender();
  }

  get #relay(): string {
    return (this.getAttribute('relay') ?? '').replace(/\/+$/, '');
  }

  get #snapshot(): SessionSnapshot {
    return (
      this.#joined?.session.snapshot ?? {
        calls: [],
        connection: this.#setUpError ? { name: 'down', fault: 'setUp' } : { name: 'connecting' },
        ready: false,
        mayHangUp: false,
      }
    );
  }

  get #isBusy(): boolean {
    return !!this.#placing || this.#snapshot.calls.some(isLive);
  }

  get #isOffline(): boolean {
    return this.#snapshot.connection.fault === 'offline';
  }

  /**
   * Applies the attributes. It does so only once for all changes of a script in one task, even if the element is moved.
   */
  #configure(): void {
    if (this.#isConfiguring) return;
    this.#isConfiguring = true;
    queueMicrotask(() => {
      this.#isConfiguring = false;
      const left = this.#joined;
      this.#joined = undefined;
      const source = this.#getTicket ?? this.getAttribute('ticket-url');
      if (this.isConnected) {
        this.#setUpError = !/^https?:/.test(this.#relay)
          ? 'expected relay="https://…"'
          : source
            ? ''
            : 'expected ticket-url or getTicket';
        if (this.#setUpError) this.#notify('error', new WidgetError('setUp', this.#setUpError));
        else this.#joined = joinSharedSession(this.#relay, source!, this.#notify);
      }
      // Another widget's session may have been ready before this widget joined it.
      if (this.#joined !== left && isReady(this.#snapshot)) this.#notify('ready', { calls: this.calls });
      // Leaves the old session last, and only if it changed: a moved element keeps its stream.
      if (left && left !== this.#joined) leaveSharedSession(left, this.#notify);
      this.#requestRender();
    });
  }

  readonly #notify = (name: string, detail?: unknown): void => {
    this.#requestRender();
    if (name === 'change') return;
    if (detail instanceof WidgetError) {
      const { code, message } = detail;
      console.warn(tag, code, message);
      detail = { code, message };
    }
    this.dispatchEvent(new CustomEvent(`dialmark:${name}`, { bubbles: true, composed: true, detail }));
  };

  /** Renders once before the next frame. A thousand events a second then cause only sixty renderings. */
  #requestRender(): void {
    if (this.#isRenderPending) return;
    this.#isRenderPending = true;
    const renderOnce = () => this.#isRenderPending && this.#render();
    requestAnimationFrame(renderOnce);
    setTimeout(renderOnce, maxRenderDelayMs);
  }

  #render(): void {
    this.#isRenderPending = false;
    clearTimeout(this.#clockTimer);
    if (!this.isConnected) return;
    if (this.#dialFault === 'busy' && !this.#isBusy) this.#dialFault = undefined;
    const snapshot = this.#snapshot;
    const root = this.shadowRoot!;
    const focused = root.activeElement;
    // `closest` stops at a shadow root. Then the page's language is used.
    const { lang } = this.closest<HTMLElement>('[lang]') ?? document.documentElement;
    const language = pickLanguage([lang, ...navigator.languages]);
    render(
      <Widget
        {...snapshot}
        language={language}
        region={this.getAttribute('country') || language.region}
        mode={this.getAttribute('mode') === 'dial' ? 'dial' : 'state'}
        compact={this.hasAttribute('compact')}
        now={Date.now()}
        pageProtocol={location.protocol}
        hangUpFault={this.#hangUpFault}
        dial={{ typed: this.#typed, busy: this.#isBusy || this.#isOffline, fault: this.#dialFault }}
        onRetry={() => this.#joined?.session.retry()}
        onHangUp={async ({ id }) => {
          if (id === this.#hangingUp) return;
          this.#hangingUp = id;
          this.#hangUpFault = undefined;
          if (!(await hangUpAtRelay(this.#relay, this.#joined!.getTicket, id))) this.#hangUpFault = id;
          this.#hangingUp = undefined;
          this.#requestRender();
        }}
        // The typed number, not the rendered one: Enter may come before the next frame.
        onDial={(number = this.#typed) =>
          // A double click repeats the press.
          number !== this.#placing &&
          this.dial(number).then(
            () => {
              // The field may contain the next number by now.
              if (this.#typed === number) this.#typed = '';
            },
            () => {}, // The form shows it, and dialmark:error reported it.
          )
        }
        onType={(typed) => {
          this.#typed = typed;
          this.#dialFault = undefined;
          this.#requestRender();
        }}
      />,
      root,
    );
    // The pressed button may be gone. The next Tab then starts here, not at the top of the page. A frame without the
    // focus would take it from the page around.
    if (focused && !root.activeElement && (self === top || document.hasFocus()))
      (root.firstChild as HTMLElement).focus({ preventScroll: true });
    if (snapshot.calls.some(isLive))
      this.#clockTimer = setTimeout(() => this.#requestRender(), 1000 - (Date.now() % 1000));
  }
}

// A page may load this file twice. The first copy stays.
if (globalThis.customElements && !customElements.get(tag)) customElements.define(tag, DialmarkWidget);
