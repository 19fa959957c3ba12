/** The registration API's login (section 4.2) with a demo account. Its keys are made from the device's UUID. */
import { createHash } from 'node:crypto';
import { z } from 'zod/mini';
import { fieldRefusal } from '../shared/service/read-call.ts';

export interface Account {
  email: string;
  password: string;
}

export const demoAccount: Account = { email: 'admin@harbor.example', password: 'sandbox-password' };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const text = z.string('a string').check(z.minLength(1, 'a string'));
const Login = z.strictObject(
  { device_uuid: z.string('a UUID').check(z.regex(uuid, 'a UUID')), email: text, password: text },
  'a JSON object of device_uuid, email and password',
);

/** Returns the status and JSON body of the reply to a login. */
export function login(body: unknown, account: Account): { status: number; body: unknown } {
  const parsed = Login.safeParse(body, { reportInput: true });
  if (!parsed.success) {
    const { message, errors } = fieldRefusal(
      parsed.error.issues.map(({ path, message: expected, input }) => ({
        field: path.join('.') || 'body',
        expected,
        got: JSON.stringify(input) ?? 'nothing',
      })),
    );
    return { status: 400, body: { code: 400, status: 'Error', message, errors } };
  }
  const { device_uuid, email, password } = parsed.data;
  if (email !== account.email || password !== account.password)
    return {
      status: 401,
      body: { code: 401, status: 'Error', message: 'email or password: not an account of this service' },
    };
  return { status: 200, body: { code: 200, status: 'Ok', details: details(device_uuid, email) } };
}

function details(deviceUuid: string, email: string) {
  const hash = (purpose: string) =>
    createHash('sha256').update(`${purpose}:${deviceUuid.toLowerCase()}`).digest('base64');
  return {
    token: jwt({ sub: '7', email, device: deviceUuid.toLowerCase() }),
    id: 7,
    email,
    first_name: 'Harbor',
    last_name: 'Administrator',
    // Real keys contain `$`, `/` and dots. These break a shell command or an SQL text into which they are pasted.
    client_key: `$2a$10$${hash('client').slice(0, 40)}./`,
    api_key: `${hash('api').slice(0, 43)}/$1$${hash('api-end').slice(0, 20)}`,
    settings: [
      {
        // The service has been seen to send this second key as well.
        service: { id: 1, name: 'intercomunexao', '   name': 'intercomunexao' },
        key: 'extension_limit',
        value: '50',
        id: 11,
      },
      { service: { id: 2, name: 'recordings' }, key: 'retention_days', value: '90', id: 12 },
    ],
  };
}

/** A token of three parts, like a JWT. It is not signed, since the sandbox does not check it. */
function jwt(claims: Record<string, string>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = createHash('sha256').update(JSON.stringify(claims)).digest('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${signature}`;
}
