import { useEffect, useState } from 'preact/hooks';
import { CrmIcon } from './icon.tsx';
import { type PhoneName, type PhoneView, pressButton, readPhones } from './phones.ts';

/** A person who waits for a ring notices no shorter time. */
const pollMs = 300;

/** Both phones of the demo, with the buttons that a person at each would press. */
export function PhonesPanel() {
  const [phones, setPhones] = useState<PhoneView[] | 'failed'>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isGone = false;
    const poll = async () => {
      const read = await readPhones().catch(() => 'failed' as const);
      if (isGone) return;
      setPhones(read);
      timer = setTimeout(poll, pollMs);
    };
    void poll();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return (
    <section class="panel phone-panel" aria-labelledby="phone-panel">
      <h2 id="phone-panel">Phones</h2>
      {phones === undefined && <p class="empty">Looking for the phones…</p>}
      {phones === 'failed' && (
        <p class="empty">The phones do not answer. Start the demo again, then reload this page.</p>
      )}
      {Array.isArray(phones) && (
        <ul>
          {phones.map((phone) => (
            <Phone key={phone.name} phone={phone} />
          ))}
        </ul>
      )}
    </section>
  );
}

const labels: Record<PhoneName, string> = { agent: 'Your phone', far: 'The other phone' };

function Phone({ phone }: { phone: PhoneView }) {
  const { name, state } = phone;
  const label = labels[name];
  return (
    <li class={`phone-card ${state}`} data-phone={name} data-state={state}>
      <CrmIcon name="phone" />
      <div class="phone-card-text">
        <strong>
          {label}
          {name === 'agent' && <small> 1105</small>}
        </strong>
        <span role="status">{phoneSentence(phone)}</span>
      </div>
      {state === 'talking' && <Clock seconds={phone.seconds} />}
      {(state === 'ringing' || state === 'talking') && (
        <div class="phone-card-buttons">
          {state === 'ringing' && (
            <button type="button" class="answer" onClick={() => pressButton(name, 'answer')}>
              Answer
            </button>
          )}
          <button type="button" class="hang-up" onClick={() => pressButton(name, 'hangUp')}>
            {state === 'ringing' ? 'Decline' : 'Hang up'}
          </button>
        </div>
      )}
    </li>
  );
}

const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Beside the status, so that a screen reader does not read every second. */
const Clock = ({ seconds }: { seconds: number }) => (
  <span class="phone-card-clock" role="timer" aria-label="On the phone for">
    {minutesAndSeconds(seconds)}
  </span>
);

const endings = {
  hungUpHere: 'Hung up here',
  hungUpThere: 'The other side hung up',
  declined: 'Declined here',
  missed: 'Stopped ringing',
};

function phoneSentence(phone: PhoneView): string {
  if (phone.state === 'idle') return phone.name === 'agent' ? 'Ready: click a number' : 'Ready';
  const other = phone.name === 'agent' ? 'Click-to-call' : `Called as ${phone.to}`;
  if (phone.state === 'ringing') return `Ringing. ${other}`;
  if (phone.state === 'talking') return phone.name === 'agent' ? 'Answered' : `Answered. ${other}`;
  return `${endings[phone.how]}${phone.seconds > 0 ? ` after ${minutesAndSeconds(phone.seconds)}` : ''}`;
}
