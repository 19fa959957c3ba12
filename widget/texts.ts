/**
 * What people read, in English, Brazilian Portuguese and Latin American Spanish. `{}` is the place of a number, time or name. All
 * of it is in every page that embeds the widget: keep texts short, and say what to do.
 */
const table = {
  recent: ['Recent calls', 'Ligações recentes', 'Llamadas recientes'],
  none: ['No calls yet', 'Nenhuma ligação ainda', 'Aún no hay llamadas'],
  loading: ['Connecting…', 'Conectando…', 'Conectando…'],

  initiating: ['Calling {}…', 'Ligando para {}…', 'Llamando a {}…'],
  callingCaller: [
    'Ringing your phone, then {}',
    'Chamando seu telefone, depois {}',
    'Suena su teléfono, después {}',
  ],
  callingCallee: ['Ringing {}', 'Chamando {}', 'Llamando a {}'],
  connected: ['Connected', 'Em conversa', 'En conversación'],
  talked: ['Talked for {}', 'Conversa de {}', 'Conversación de {}'],
  noTalk: ['Ended without talking', 'Encerrada sem conversa', 'Terminada sin conversación'],
  callerNoAnswer: [
    'Lost call: your phone was not answered',
    'Ligação perdida: seu telefone não foi atendido',
    'Llamada perdida: no se contestó su teléfono',
  ],
  callerBusy: ['Your phone was busy', 'Seu telefone estava ocupado', 'Su teléfono estaba ocupado'],
  callerRefused: [
    'You declined on your phone',
    'Você recusou no seu telefone',
    'Usted rechazó en su teléfono',
  ],
  callerFailure: [
    'Your phone could not be reached',
    'Seu telefone não foi alcançado',
    'No se alcanzó su teléfono',
  ],
  calleeBusy: ['Busy', 'Ocupado', 'Ocupado'],
  calleeNoAnswer: ['No answer', 'Não atendeu', 'No contestó'],
  calleeRefused: ['Declined', 'Recusada', 'Rechazada'],
  calleeUnknown: ['Unknown number', 'Número inexistente', 'Número inexistente'],
  byCaller: ['You hung up', 'Você desligou', 'Usted colgó'],
  byCallee: ['The other side hung up', 'O outro lado desligou', 'El otro lado colgó'],
  bySystem: ['Ended by the phone system', 'Encerrada pela central', 'Terminada por la central'],
  failed: ['Not placed', 'Não foi feita', 'No se hizo'],
  notAnswered: ['May have rung', 'Pode ter tocado', 'Quizá sonó'],
  unknown: ['Its end was not reported', 'O fim não foi informado', 'No se informó el fin'],
  wait: [
    'The result comes when it has ended.',
    'O resultado vem quando ela terminar.',
    'El resultado llega cuando termina.',
  ],
  checkSettings: [
    'Wrong token or settings. Contact your administrator.',
    'Token ou configuração errados. Avise o administrador.',
    'Token o ajustes erróneos. Avise al administrador.',
  ],
  unreachable: [
    'The service cannot be reached. Try later.',
    'Serviço fora de alcance. Tente mais tarde.',
    'No se alcanza el servicio. Pruebe más tarde.',
  ],
  checkNumber: [
    'The service refused. Check the number.',
    'O serviço recusou. Confira o número.',
    'El servicio la rechazó. Revise el número.',
  ],
  perhapsPlaced: [
    'Look at your phone before calling again.',
    'Olhe seu telefone antes de ligar de novo.',
    'Mire su teléfono antes de llamar de nuevo.',
  ],

  started: ['Started', 'Início', 'Inicio'],
  ended: ['Ended', 'Encerrada', 'Terminada'],
  talkTime: ['Talk time', 'Conversa', 'Conversación'],
  totalTime: ['Total time', 'Tempo total', 'Tiempo total'],
  recording: ['Recording', 'Gravação', 'Grabación'],
  recordingRefused: ['not a web address', 'não é um endereço da web', 'no es una dirección web'],
  recordingFailed: ['It cannot be played here.', 'Não pode tocar aqui.', 'No puede sonar aquí.'],
  flow: ['Way of the call', 'Caminho da ligação', 'Camino de la llamada'],
  after: ['After', 'Após', 'Tras'],
  who: ['Who', 'Quem', 'Quién'],
  state: ['State', 'Estado', 'Estado'],

  setUp: [
    'Not set up: see the console.',
    'Não configurado: veja o console.',
    'Sin configurar: vea la consola.',
  ],
  unavailable: ['Not available now.', 'Indisponível agora.', 'No disponible ahora.'],
  signedOut: [
    'Signed out. Sign in again.',
    'Sessão encerrada. Entre de novo.',
    'Sesión terminada. Entre de nuevo.',
  ],
  unauthorized: [
    'No access. Contact your administrator.',
    'Sem acesso. Avise o administrador.',
    'Sin acceso. Avise al administrador.',
  ],
  offline: [
    'No connection. Calls go on.',
    'Sem conexão. As ligações continuam.',
    'Sin conexión. Las llamadas siguen.',
  ],
  notUnderstood: [
    'The relay’s answer is wrong. Contact your administrator.',
    'Resposta errada do relay. Avise o administrador.',
    'Respuesta errónea del relay. Avise al administrador.',
  ],
  retry: ['Try now', 'Tentar agora', 'Probar ahora'],

  number: ['Number to call', 'Número para ligar', 'Número al que llamar'],
  call: ['Call', 'Ligar', 'Llamar'],
  hangUp: ['Hang up', 'Desligar', 'Colgar'],
  goesOn: ['Hang up on your phone.', 'Desligue no seu telefone.', 'Cuelgue en su teléfono.'],
  notANumber: ['Type a phone number.', 'Digite um telefone.', 'Escriba un teléfono.'],
  emergency: [
    'Dial emergencies on your phone.',
    'Disque emergências no seu telefone.',
    'Marque las emergencias en su teléfono.',
  ],
  busy: ['A call is under way.', 'Há uma ligação em andamento.', 'Hay una llamada en curso.'],
  forbidden: [
    'You may not call this number here.',
    'Você não pode ligar para este número aqui.',
    'No puede llamar a este número aquí.',
  ],
  tooManyCalls: [
    'Too many calls. Wait a minute.',
    'Ligações demais. Espere um minuto.',
    'Demasiadas llamadas. Espere un minuto.',
  ],
} satisfies Record<string, [en: string, pt: string, es: string]>;

export type Texts = Record<keyof typeof table, string>;

const column = (index: number) =>
  Object.fromEntries(Object.entries(table).map(([key, texts]) => [key, texts[index]])) as Texts;

export const languages: Record<string, Texts> = { en: column(0), pt: column(1), es: column(2) };

export interface Language {
  /** BCP 47, as preferred: its region decides how dates are written. */
  tag: string;
  /** ISO 3166, where the tag names one. */
  region: string | undefined;
  texts: Texts;
}

/** The first supported language, else English. @param preferred BCP 47 tags, the most preferred first. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): Language {
  for (const tag of [...preferred, 'en']) {
    const [, language, region] = /^(en|pt|es)(?:-(..))?$/i.exec(tag ?? '') ?? [];
    if (language)
      return { tag: tag!, region: region?.toUpperCase(), texts: languages[language.toLowerCase()]! };
  }
  throw new Error('unreachable');
}
