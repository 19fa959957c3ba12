/**
 * The two phones of the demo, as the CRM's page shows and steers them: `GET /phones`, and `POST
 * /phones/NAME/BUTTON`.
 */
import { answerJson } from '../../sandbox/exchange.ts';
import type { PhoneBoard } from '../../testing/asterisk/phone-workstation.ts';
import type { PhoneCall, SipPhone } from '../../testing/asterisk/sip-phone.ts';
import type { PhoneName, PhoneState, PhoneView } from '../crm/phones.ts';

const buttons = ['answer', 'hangUp'] as const;

export function phoneBoard(phones: Readonly<Record<PhoneName, SipPhone>>): PhoneBoard {
  const view = async (name: PhoneName): Promise<PhoneView> => ({
    name,
    ...stateOf((await phones[name].calls()).at(-1)),
  });
  return {
    async routes(request, response, url) {
      const [root, name, button, ...rest] = url.pathname.slice(1).split('/');
      if (root !== 'phones' || rest.length > 0) return false;
      const answer = (status: number, body: unknown) => {
        answerJson(response, status, body);
        return true;
      };
      if (name === undefined)
        return request.method === 'GET' && answer(200, [await view('agent'), await view('far')]);
      // Only the CRM's own page presses: other sites' pages are refused.
      const isOwn = request.headers['sec-fetch-site'] === 'same-origin';
      const pressed = buttons.find((one) => one === button);
      if (!isPhone(name) || !pressed || request.method !== 'POST' || !isOwn) return false;
      const { state } = await view(name);
      if (state !== 'ringing' && !(state === 'talking' && pressed === 'hangUp'))
        return answer(409, { message: `this phone is ${state}` });
      await phones[name].press(pressed);
      return answer(202, {});
    },
  };
}

const isPhone = (name: string): name is PhoneName => name === 'agent' || name === 'far';

function stateOf(call: PhoneCall | undefined): PhoneState {
  if (!call) return { state: 'idle' };
  const { from, to, answeredAt, ended } = call;
  const seconds = (until: number) =>
    answeredAt === undefined ? 0 : Math.max(0, Math.round((until - answeredAt) / 1000));
  if (ended) return { state: 'ended', from, to, how: ended.how, seconds: seconds(ended.at) };
  return answeredAt === undefined
    ? { state: 'ringing', from, to }
    : { state: 'talking', from, to, seconds: seconds(Date.now()) };
}
