/** One term for one thing, in every text that people read, extension and widget alike. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { widgetLanguages } from '../widget/texts.ts';

const tags = { en: 'en', pt_BR: 'pt', es: 'es' } as const;
type Language = keyof typeof tags;
const languages = Object.keys(tags) as Language[];

function read(language: Language): Record<string, string> {
  const file = new URL(`../extension/_locales/${language}/messages.json`, import.meta.url);
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { message: string }>;
  const extension = Object.entries(messages).map(([key, { message }]) => [key, message] as const);
  const widget = Object.entries(widgetLanguages[tags[language]]!).map(
    ([key, message]) => [`widget ${key}`, message] as const,
  );
  return Object.fromEntries([...extension, ...widget]);
}
const texts = Object.fromEntries(languages.map((language) => [language, read(language)])) as Record<
  Language,
  Record<string, string>
>;

/** Of numbers on a page; not a question mark. */
const marking = /(?<!question )\bmark(s|ed|ing)?\b/i;

/** Where the English text has the term, the others have theirs. */
const terms: readonly [en: RegExp, ptBR: RegExp, es: RegExp][] = [
  [/\bagent key\b/i, /chave de agente/i, /clave de agente/i],
  [/\byour (own )?phone\b/i, /seu (próprio )?ramal/i, /su (propio )?teléfono/i],
  [/\bmy phone\b/i, /meu ramal/i, /mi teléfono/i],
  [/\bextension\b/i, /ramal/i, /extensión/i],
  [/\brelay\b/i, /relay/i, /relay/i],
  [/\bcalling service\b/i, /serviço de chamadas/i, /servicio de llamadas/i],
  [/\bservice token\b/i, /token do serviço/i, /token del servicio/i],
  [/\brecording\b/i, /gravação/i, /grabación/i],
  [/\bsettings\b/i, /configura/i, /configuración/i],
  [/\badministrator\b/i, /administrador/i, /administrador/i],
  [/\bPBX\b/, /PABX/, /central telefónica/i],
  [/\boutcome unknown\b/i, /resultado desconhecido/i, /resultado desconocido/i],
  [/\bcaller id\b/i, /exibido ao destinatário/i, /destinatario/i],
  [/\bopen (the )?side panel\b/i, /painel lateral/i, /panel lateral/i],
  [/\b(recent|older|maximum) calls\b/i, /chamadas/i, /llamadas/i],
  [/\bhang up\b/i, /deslig|término/i, /colg|cuelg/i],
  [marking, /\bmarc/i, /\bresalt/i],
  [/\bdial(s|led|ling)?\b/i, /disc|disque|lig/i, /marc|marque|llam/i],
];

/** Words that do not come back, and what stands in their place. */
const retired: Record<Language, readonly [RegExp, instead: string][]> = {
  en: [
    [/\ball the same\b/i, 'still, anyway'],
    [/\bnobody\b|\banew\b|\bstrangers?\b|\bwish/i, 'no one, again'],
    [/\btells?\b|\btold\b|\bcannot be told\b/i, 'shows, reports'],
    [/\bway of the call\b/i, 'Call path'],
    [/\bdialed\b|\borganization\b/i, 'British spelling, as everywhere'],
    [/\blost calls?\b|\b(was|were|is) lost\b/i, 'not answered: it was the agent who did not pick up'],
    [/\bat once beside\b|\b(put|take off) in front\b|\bat (most|least) digits\b/i, 'see the wording list'],
  ],
  pt_BR: [
    [/\bligaç(ão|ões)\b/i, 'chamada'],
    [/\b(seu|meu) (próprio )?telefone\b/i, 'ramal'],
    [/\ba eles\b/i, 'ao destinatário'],
    [/clique lá/i, 'clique'],
    [/não pode tocar/i, 'não é possível reproduzir'],
    [/\bchamadas? (é )?perdidas?\b|\bse perdeu\b/i, 'não foi atendido: a perdida é a que se recebe'],
    [/\b(para si|sabe desfazer)\b/i, 'restaura, permite desfazer'],
  ],
  es: [
    [/centralita/i, 'central telefónica'],
    [/\bcostes?\b/i, 'costo'],
    [/\b(Quit|quit)(ar|ado|ada|adas|arlo)\b/, 'eliminar'],
    [/[«»]/, '“ ”'],
    [/\bpuls(e|ar|ado)\b|\bintroduzca/i, 'haga clic, ingrese'],
    [/\bajustes?\b/i, 'configuración'],
    [/\bPidiendo\b|\bSolicitando\b/, 'Haciendo la llamada'],
    [/\baña(da|dir|de)\b/i, 'agregar'],
    [/\bordenador|\bcortafuegos\b|\bmóvil\b/i, 'computadora, firewall, celular'],
    [/\b(tú|tu|tus|haz|puedes|vosotros|elige|crea)\b/i, 'usted'],
    [/\bIntro\b/, 'Enter'],
    [/\bañadió\b/i, 'agregar'],
    [/(?<!extensi(ón|ones) )\binternas?\b/i, 'extensión'],
    [/\bllamadas? (se )?(perdidas?|pierde|perdió)\b/i, 'no se contestó: la perdida es la que se recibe'],
    [
      /\bno se hizo\b|\bentre de nuevo\b|\bpara sí\b|\bsabe deshacer\b/i,
      'no se realizó, inicie sesión, permite deshacer',
    ],
    [/\bcompruébe|\bhaga ampliar\b/i, 'revise, pida que amplíen'],
    [/\bno puede sonar|no se informó el fin\./i, 'no se puede reproducir, resultado desconocido'],
  ],
};

describe.each(languages)('the texts in %s', (language) => {
  test('write the ellipsis without a space before it', () => {
    for (const [key, message] of Object.entries(texts[language]))
      expect(message, key).not.toMatch(/\s…|\.\.\./);
  });

  test('use no retired word', () => {
    for (const [key, message] of Object.entries(texts[language]))
      for (const [word, instead] of retired[language])
        expect(message, `${key}: write “${instead}”`).not.toMatch(word);
  });

  test('use one term for one thing', () => {
    const column = languages.indexOf(language);
    for (const [key, english] of Object.entries(texts.en))
      for (const term of terms)
        if (term[0].test(english)) expect(texts[language][key], key).toMatch(term[column]!);
  });

  test('mark numbers with one word that says nothing else', () => {
    // A box that is ticked is "marcada", too.
    const marks = { en: marking, pt_BR: /\bmarc|\bmarque(?! a opção)/i, es: /\bresalt/i }[language];
    for (const [key, english] of Object.entries(texts.en)) {
      if (!marking.test(english)) expect(texts[language][key], key).not.toMatch(marks);
      // In Spanish, "marcar" is to dial.
      else if (language === 'es') expect(texts.es[key], key).not.toMatch(/\bmar(c|que)/i);
    }
  });

  test('agree in gender with a key or a token', () => {
    const masculine = /\b(salvo|removido|nenhum|guardado|eliminado|ninguno)\b/i;
    const feminine = /\b(salva|removida|nenhuma|guardada|eliminada|ninguna)\b/i;
    for (const [key, message] of Object.entries(texts[language])) {
      if (/^options_agentKey(Saved|None|Removed)/.test(key)) expect(message, key).not.toMatch(masculine);
      if (/^options_serviceToken(Saved|None|Removed)/.test(key)) expect(message, key).not.toMatch(feminine);
    }
  });
});
