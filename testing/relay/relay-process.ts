/**
 * Launches the built relay as an operator does: a process set up by its environment, with its command line
 * beside it.
 */
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

export type RelayProcess = ServerProcess;

export const startRelayProcess = (
  environment: ServerEnvironment,
  options?: { ownGroup?: boolean },
): Promise<RelayProcess> => startBuiltServer(relay, environment, options);

export const runRelayCommand = (args: readonly string[], environment: ServerEnvironment) =>
  runServerCommand(relay, args, environment);
