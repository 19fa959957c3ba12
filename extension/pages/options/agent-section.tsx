import { defaultTimeoutSeconds } from '../../../shared/service/request.ts';
import { text } from '../../text.ts';
import { CheckField, NumberField, TextField } from './fields.tsx';

export function AgentSection() {
  return (
    <>
      <TextField id="agent-from" path="agent.from" label="options_from" placeholder="1105" />
      <NumberField
        id="agent-timeout"
        path="agent.timeout"
        label="options_timeout"
        min={1}
        max={600}
        placeholder={String(defaultTimeoutSeconds)}
        help={text('options_timeoutHelp', defaultTimeoutSeconds)}
      />
      <TextField id="agent-callerid" path="agent.callerid" kind="tel" label="options_callerid" />
      <CheckField id="agent-force-from" path="agent.forceFrom" label="options_forceFrom" />
    </>
  );
}
