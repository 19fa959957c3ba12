/**
 * The texts of the widget in English, Brazilian Portuguese and Latin American Spanish. `{}` is replaced by a number,
 * time or name. Every page with the widget loads all texts. So keep them short, and say what to do.
 */
const table = {
  recent: ['Recent calls', 'Chamadas recentes', 'Llamadas recientes'],
  none: ['No calls yet', 'Sem chamadas ainda', 'Sin llamadas aún'],
  loading: ['Connecting…', 'Conectando…', 'Conectando…'],

  initiating: ['Calling {}…', 'Ligando para {}…', 'Llamando a {}…'],
  callingCaller: [
    'Ringing your phone, then {}',
    'Chamando seu ramal, depois {}',
    'Suena su teléfono, después {}',
  ],
  callingCallee: ['Ringing {}', 'Chamando {}', 'Suena el {}'],
  connected: ['Connected', 'Em conversa', 'En conversación'],
  answered: ['Talked for {}', 'Conversa de {}', 'Conversación de {}'],
  callerNotReached: [
    'Your phone was not answered',
    'Seu ramal não foi atendido',
    'No se contestó su teléfono',
  ],
  callerBusy: ['Your phone was busy', 'Seu ramal estava ocupado', 'Su teléfono estaba ocupado'],
  callerRefused: ['You declined on your phone', 'Recusada no seu ramal', 'Rechazada en su teléfono'],
  callerFailure: [
    'Your phone was not reached',
    'Seu ramal está inacessível',
    'No se pudo llamar a su teléfono',
  ],
  calleeBusy: ['Busy', 'Ocupado', 'Ocupado'],
  noAnswer: ['No answer', 'Não atendeu', 'No contestó'],
  declined: ['Declined', 'Recusada', 'Rechazada'],
  calleeUnknown: ['Unknown number', 'Número inexistente', 'Número inexistente'],
  caller: ['You hung up', 'Você desligou', 'Usted colgó'],
  callee: ['The other side hung up', 'O outro lado desligou', 'El otro lado colgó'],
  system: ['The phone system hung up', 'A central desligou', 'La central colgó'],
  refused: ['Refused by the service', 'Recusada pelo serviço', 'Rechazada por el servicio'],
  notPlaced: ['Not placed', 'Não realizada', 'No realizada'],
  mayHaveRung: ['May have rung', 'Pode ter tocado', 'Quizá sonó'],
  unknown: ['Outcome unknown', 'Resultado desconhecido', 'Resultado desconocido'],
  wait: ['The result comes at the end.', 'O resultado vem no fim.', 'El resultado llega al final.'],
  checkSettings: [
    'Wrong settings. Contact your administrator.',
    'Configuração errada. Avise o administrador.',
    'Configuración errada. Avise al administrador.',
  ],
  unreachable: [
    'The service cannot be reached. Try later.',
    'O serviço não responde. Tente mais tarde.',
    'El servicio no responde. Intente más tarde.',
  ],
  checkNumber: ['Refused. Check the number.', 'Recusada. Confira o número.', 'Rechazada. Revise el número.'],
  perhapsPlaced: [
    'Your phone may ring: check it first.',
    'Seu ramal pode tocar: verifique antes.',
    'Su teléfono puede sonar: revíselo antes.',
  ],

  started: ['Started', 'Início', 'Inicio'],
  ended: ['Ended', 'Encerrada', 'Terminada'],
  talkTime: ['Talk time', 'Conversa', 'Conversación'],
  totalTime: ['Total time', 'Tempo total', 'Tiempo total'],
  recording: ['Recording', 'Gravação', 'Grabación'],
  recordingFailed: [
    'It cannot be played here.',
    'Não é possível reproduzir aqui.',
    'No se puede reproducir aquí.',
  ],
  flow: ['Call path', 'Caminho da chamada', 'Recorrido de la llamada'],
  after: ['Time', 'Tempo', 'Tiempo'],
  who: ['Party', 'Participante', 'Participante'],
  state: ['Status', 'Status', 'Estado'],
  legUp: ['Answered', 'Atendeu', 'Contestó'],
  legRinging: ['Ringing', 'Tocando', 'Sonando'],

  setUp: [
    'Not set up: see the console.',
    'Não configurado: veja o console.',
    'Sin configurar: vea la consola.',
  ],
  unavailable: ['Not available now.', 'Indisponível agora.', 'No disponible ahora.'],
  signedOut: [
    'Signed out. Sign in to this site again.',
    'Sessão encerrada. Entre de novo neste site.',
    'Sesión terminada. Inicie sesión en este sitio.',
  ],
  unauthorized: [
    'No access. Ask the site’s support.',
    'Sem acesso. Fale com o suporte do site.',
    'Sin acceso. Consulte al soporte del sitio.',
  ],
  offline: [
    'Offline. Calls in progress continue.',
    'Sem conexão. As chamadas em andamento continuam.',
    'Sin conexión. Las llamadas en curso continúan.',
  ],
  notUnderstood: [
    'Wrong reply. Contact your administrator.',
    'Resposta errada. Avise o administrador.',
    'Respuesta errada. Avise al administrador.',
  ],
  retry: ['Try now', 'Tentar agora', 'Intentar ahora'],

  number: ['Number', 'Número', 'Número'],
  call: ['Call', 'Ligar', 'Llamar'],
  redial: ['Call {}', 'Ligar para {}', 'Llamar a {}'],
  hangUp: ['Hang up', 'Desligar', 'Colgar'],
  mayGoOn: [
    'The call may go on. Use your phone.',
    'A chamada pode continuar. Use seu ramal.',
    'La llamada puede seguir. Use su teléfono.',
  ],
  notANumber: ['Type a phone number.', 'Digite um telefone.', 'Escriba un teléfono.'],
  emergency: [
    'Dial emergencies on your phone.',
    'Disque emergências no seu ramal.',
    'Marque las emergencias en su teléfono.',
  ],
  busy: ['A call is in progress.', 'Há uma chamada em andamento.', 'Hay una llamada en curso.'],
  forbidden: ['Number not allowed here.', 'Número não permitido aqui.', 'Número no permitido aquí.'],
  tooManyCalls: [
    'Too many calls. Wait a minute.',
    'Chamadas demais. Espere um minuto.',
    'Demasiadas llamadas. Espere un minuto.',
  ],
} satisfies Record<string, [en: string, pt: string, es: string]>;

export type Texts = Record<keyof typeof table, string>;

const column = (index: number) =>
  Object.fromEntries(Object.entries(table).map(([key, texts]) => [key, texts[index]])) as Texts;

export const widgetLanguages: Record<string, Texts> = { en: column(0), pt: column(1), es: column(2) };

export interface WidgetLanguage {
  /** BCP 47, as the person prefers it. Its region decides how dates are written. */
  tag: string;
  /** ISO 3166, if the tag has a region. */
  region: string | undefined;
  texts: Texts;
}

/**
 * Returns the first preferred language that the widget has, else English.
 * @param preferred BCP 47 tags, the most preferred first. In a malformed tag, such as `pt_BR`, the start is used.
 */
export function pickLanguage(preferred: readonly (string | null | undefined)[]): WidgetLanguage {
  const [tag, language, region] = [...preferred, 'en']
    .map((each) => /^(en|pt|es)(?:-419|-(\w\w))?\b/i.exec(each?.replace('_', '-') as string))
    .find(Boolean)!;
  return { tag, region, texts: widgetLanguages[language!.toLowerCase()]! };
}
