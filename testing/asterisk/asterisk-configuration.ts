/** Asterisk's configuration for tests and the demo: SIP phones on loopback, a recording dialplan, AMI users. */

export interface AsteriskPorts {
  sip: number;
  ami: number;
  /** First of `rtpPorts` ports. */
  rtp: number;
  agent: number;
  far: number;
}

export const rtpPorts = 400;
export const amiUser = 'dialmark';
export const amiSecret = 'dialmark-secret';

interface ConfigurationOptions {
  /** The folder of everything that Asterisk writes. */
  folder: string;
  moduleFolder: string;
  dataFolder: string;
  ports: AsteriskPorts;
  /** Codes of the agents. The phone of a registered agent is at the port `agent`. */
  agents: readonly string[];
  unregistered: readonly string[];
  /** Modules that this Asterisk has. */
  modules: readonly string[];
}

const modules = `
  res_pjproject res_sorcery_config res_sorcery_memory res_sorcery_astdb res_pjsip res_pjsip_session res_pjsip_pubsub
  res_pjsip_sdp_rtp res_pjsip_caller_id res_pjsip_rfc3326 res_pjsip_endpoint_identifier_user res_pjsip_logger
  res_rtp_asterisk res_timing_timerfd chan_pjsip pbx_config func_channel func_callerid func_cdr app_dial bridge_simple
  codec_ulaw codec_alaw codec_resample format_wav format_pcm app_mixmonitor cdr_manager
`
  .trim()
  .split(/\s+/);

/** @returns the text of each file, by name. */
export function asteriskConfiguration(options: ConfigurationOptions): Record<string, string> {
  const { folder, moduleFolder, dataFolder, ports } = options;
  const empty = Object.fromEntries(
    // Empty files. Without them, Asterisk logs errors at its start.
    ['cel', 'features', 'acl', 'udptl', 'pjproject', 'ccss', 'indications', 'http'].map((name) => [
      `${name}.conf`,
      '',
    ]),
  );
  return {
    ...empty,
    'asterisk.conf': `[directories]
astetcdir => ${folder}/etc
astmoddir => ${moduleFolder}
astdatadir => ${dataFolder}
astvarlibdir => ${folder}/lib
astdbdir => ${folder}/lib
astkeydir => ${folder}/lib
astspooldir => ${folder}/spool
astrundir => ${folder}/run
astlogdir => ${folder}/log
[options]
documentation_language = en_US
`,
    'modules.conf': `[modules]
autoload = no
${modules
  .filter((name) => options.modules.includes(`${name}.so`))
  .map((name) => `load = ${name}.so`)
  .join('\n')}
`,
    'logger.conf': '[logfiles]\nmessages => notice,warning,error\n',
    'cdr.conf': '[general]\nenable = yes\nunanswered = yes\n',
    'cdr_manager.conf': '[general]\nenabled = yes\n',
    'rtp.conf': `[general]\nrtpstart = ${ports.rtp}\nrtpend = ${ports.rtp + rtpPorts - 1}\n`,
    // Only the rights that docs/pbx.md asks for.
    'manager.conf': `[general]
enabled = yes
bindaddr = 127.0.0.1
port = ${ports.ami}
timestampevents = yes
[${amiUser}]
secret = ${amiSecret}
deny = 0.0.0.0/0.0.0.0
permit = 127.0.0.1/255.255.255.255
read = call,dialplan
write = originate,call
`,
    // Numbers that begin with 9 do not exist.
    'extensions.conf': `[from-internal]
exten => _[0-8]X.,1,MixMonitor(${folder}/recordings/\${CHANNEL(linkedid)}.wav,b)
 same => n,Dial(PJSIP/\${EXTEN}@world,8)
 same => n,Hangup(\${HANGUPCAUSE})
`,
    'pjsip.conf': phonesConfiguration(options),
  };
}

/** The agents' phones, and the world behind one trunk. */
const phonesConfiguration = ({ ports, agents, unregistered }: ConfigurationOptions): string => `[udp]
type = transport
protocol = udp
bind = 127.0.0.1:${ports.sip}
[phone](!)
type = endpoint
context = from-internal
disallow = all
allow = ulaw
direct_media = no
media_address = 127.0.0.1
bind_rtp_to_media_address = yes
[world](phone)
aors = world
context = from-trunk
[world]
type = aor
contact = sip:127.0.0.1:${ports.far}
${agents
  .map((code) =>
    agent(
      code,
      unregistered.includes(code) ? 'max_contacts = 1' : `contact = sip:${code}@127.0.0.1:${ports.agent}`,
    ),
  )
  .join('')}`;

/** An agent whose phone is not registered. */
export const unregisteredAgent = '1199';

const agent = (code: string, contact: string) => `[${code}](phone)
aors = ${code}
callerid = "Agent ${code}" <${code}>
[${code}]
type = aor
${contact}
`;
