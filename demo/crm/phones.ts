/** The phones of `npm start -- --phones`, as the demo's server describes them. */
export type PhoneName = 'agent' | 'far';

export type PhoneState =
  | { state: 'idle' }
  | { state: 'ringing'; from: string; to: string }
  | { state: 'talking'; from: string; to: string; seconds: number }
  | {
      state: 'ended';
      from: string;
      to: string;
      /** Seen from this phone; `missed`: the other side gave up before it was answered. */
      how: 'hungUpHere' | 'hungUpThere' | 'declined' | 'missed';
      /** Since it was answered; 0 where it was not. */
      seconds: number;
    };

export type PhoneView = { name: PhoneName } & PhoneState;

/** Set by the server where the demo has phones. */
export const hasPhones = document.querySelector('meta[name="demo-phones"]') !== null;

export async function readPhones(): Promise<PhoneView[]> {
  const response = await fetch('/phones');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as PhoneView[];
}

export async function pressButton(name: PhoneName, button: 'answer' | 'hangUp'): Promise<void> {
  await fetch(`/phones/${name}/${button}`, { method: 'POST' });
}
