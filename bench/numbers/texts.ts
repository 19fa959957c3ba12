/** The texts of the throughput measurement. They are generated from a seed, so every run has the same texts. */

const MEBIBYTE = 1024 * 1024;

const SENTENCES = [
  'The customer asked whether the delivery could be moved to the week after the holidays, and Ann agreed. ',
  'The warehouse had not been informed, so the parcel left on time and came back unopened. ',
  'Depois da reunião, a equipe decidiu que o contrato seria revisto antes do fim do mês. ',
  'Wir melden uns, sobald die Unterlagen vollständig sind und die Prüfung abgeschlossen ist. ',
  'Il faudra attendre la réponse du service juridique avant de confirmer quoi que ce soit. ',
  'El equipo comercial enviará la propuesta en cuanto tenga los precios de los proveedores. ',
  'In 2023 she opened 3 branches; the fourth followed within 12 months. ',
];

/** A linear congruential generator. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Running text in five languages with few figures, as most of a page is. */
export function prose(): string {
  const next = sequence(7);
  let text = '';
  while (text.length < MEBIBYTE) text += SENTENCES[next(SENTENCES.length)];
  return text;
}

/** Lines of a CRM: numbers in many shapes beside orders, documents, dates and prices. Region BR. */
export function crm(): string {
  const next = sequence(11);
  const digits = (count: number) => Array.from({ length: count }, () => next(10)).join('');
  const landline = () => `${2 + next(4)}${digits(3)}-${digits(4)}`;
  const mobile = () => `9${6 + next(4)}${digits(3)}-${digits(4)}`;
  const area = () => ['11', '21', '31', '41', '48', '51', '61', '71', '85'][next(9)];
  const american = () => ['212', '303', '312', '415', '512', '617', '650', '702', '818'][next(9)];
  const lines = [
    () => `Cliente ${1000 + next(9000)} tel. (${area()}) ${landline()} cel (${area()}) ${mobile()}\n`,
    () =>
      `Pedido ${digits(8)} de ${10 + next(18)}/0${1 + next(9)}/2024, R$ ${1 + next(9)}.${digits(3)},${digits(2)}\n`,
    () =>
      `Contato +55 ${area()} ${mobile()} ramal ${digits(3)}; CPF ${digits(3)}.${digits(3)}.${digits(3)}-${digits(2)}\n`,
    () => `Whats 55${area()}9${8 + next(2)}${digits(7)}, CEP ${digits(5)}-${digits(3)}, NF ${digits(9)}\n`,
    () =>
      `${area()} ${landline()} / ${area()} ${mobile()} chamada perdida ${10 + next(10)}:${10 + next(49)}\n`,
    () => `Call (${american()}) 555-0${digits(3)}, +1 ${american()} 555 0${digits(3)}, ref ${digits(10)}\n`,
  ];
  let text = '';
  while (text.length < MEBIBYTE) text += lines[next(lines.length)]!();
  return text;
}

/** Texts that are slow for scanners that backtrack. */
export const hostile: Readonly<Record<string, (size: number) => string>> = {
  'digits 1111…': (size) => '1'.repeat(size),
  'digits and spaces 1 1 1…': (size) => '1 '.repeat(size / 2),
  'dashes ----…': (size) => '-'.repeat(size),
  'digits and dashes 1-1-1…': (size) => '1-'.repeat(size / 2),
  'nested brackets ((((…))))': (size) => '('.repeat(size / 2) + ')'.repeat(size / 2),
  'brackets with digits (1(1(1…': (size) => '(1'.repeat(size / 2),
  'pluses and zeros +0+0…': (size) => '+0'.repeat(size / 2),
  'almost numbers 123-456-789x…': (size) => '123-456-789x'.repeat(size / 12),
};
