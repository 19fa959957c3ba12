import { defaultTimeoutSeconds } from '../../../shared/service/request.ts';
import { text } from '../../text.ts';
import { CheckField, NumberField, TextField } from './fields.tsx';

export function AgentSection() {
  const placeholder = String(defaultTimeoutSeconds);
  const help = text('options_timeoutHelp', defaultTimeoutSeconds);
  return (
    <>
      <TextField id="agent-from" path="agent.from" placeholder="1105" />
      <NumberField
        id="agent-timeout"
        path="agent.timeout"
        min={1}
        max={600}
        placeholder={placeholder}
        help={help}
      />
      <TextField id="agent-callerid" path="agent.callerid" kind="tel" />
      <CheckField id="agent-force-from" path="agent.forceFrom" />
    </>
  );
}
