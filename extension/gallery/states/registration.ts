import type { OwnState } from './page-state.ts';

const loginSteps = [
  { selector: '#device-uuid', value: '0b5e1c1e-2f6b-4f0e-9c5a-3f1c8b7a6d5e' },
  { selector: '#register-api-url', value: 'https://register.example.com' },
  { selector: '#email', value: 'admin@example.com' },
  { selector: '#password', value: 'not a real password' },
  { selector: '#login' },
];
const account = { id: 7, email: 'admin@example.com', first_name: 'Ana', last_name: 'Souza' };
const keysReply = {
  code: 200,
  status: 'success',
  details: { ...account, client_key: 'client-0123456789', api_key: 'api-0123456789', settings: [] },
};
export const registration: readonly OwnState[] = [
  { name: 'Empty' },
  {
    name: 'Filled: keys to store',
    steps: loginSteps,
    loginReply: { status: 200, body: keysReply },
  },
  {
    name: 'Filled: asks before the keys are forgotten',
    steps: [...loginSteps, { selector: '#forget' }],
    loginReply: { status: 200, body: keysReply },
  },
  {
    name: 'Error: the login was refused',
    steps: loginSteps,
    loginReply: { status: 401, body: { code: 401, status: 'error', message: 'wrong password' } },
  },
  { name: 'Error: the service is down', steps: loginSteps, loginReply: { status: 503, body: {} } },
  { name: 'Offline', steps: loginSteps, loginReply: 'unreachable' },
];
