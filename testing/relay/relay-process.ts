/** Launches the built relay as an operator does: a process set up by its environment, with its command line beside it. */
import {
  type BuiltServer,
  programOf,
  runServerCommand,
  type ServerEnvironment,
  type ServerProcess,
  startBuiltServer,
} from '../servers/built-server.ts';

const relay: BuiltServer = { part: 'relay', prefix: 'DIALMARK_' };
export const relayProgram = programOf('relay');

/** DIALMARK_ variables without the prefix. */
export type RelayEnvironment = ServerEnvironment;
export type RelayProcess = ServerProcess;

export const startRelayProcess = (
  environment: RelayEnvironment,
  options?: { ownGroup?: boolean },
): Promise<RelayProcess> => startBuiltServer(relay, environment, options);

export const runRelayCommand = (args: readonly string[], environment: RelayEnvironment) =>
  runServerCommand(relay, args, environment);
