/** The evidence for and against a stretch of digits being a phone number: its shape and the words before it. */
import { EvidenceTable } from '../evidence.ts';

/** The fewest points of a candidate. Stretches with fewer points are dropped before a numbering plan is asked. */
export const minCandidatePoints = 0;
/** The fewest points of words that announce a phone number. Digits without any grouping need more. */
export const minWordPoints = 3;
export const minWordPointsForDigits = 4;

export const candidateEvidence = new EvidenceTable({
  plus: [6, '+5548999998888', '+49 30 901820'],
  brackets: [6, '(11) 3456-7890', '(0xx11) 3456-7890'],
  grouped: [3, '11 3456-7890', '01 42 68 53 00'],
  /** Free of charge in many countries. Other things are not written like this. */
  freephone: [6, 'Complaint no. 1800 233 4178', 'Beschwerde-Nr. 0800 4824292'],
  areaOfNumberBefore: [11, '(11) 3456-7890 / 3456-7891', '030 12345678/12345679'],
  phoneWord: [11, 'Tel. 34567890', 'ramal 2201'],
  /** The phone word announces a mobile number. This bit is set beside `phoneWord`. */
  mobileWord: [0, 'Cel. 11 5571-4032', 'WhatsApp: 341 590-2716'],
  phoneWordFar: [11, 'ligar Ana 11987654321', 'Fax (Frau Wolf) 030901820'],
  phoneWordListed: [4, 'Tel. 3456-7890, 3456-7891', 'fone 34567890 34567891'],
  /** The words are about calls and phones, but not about this number. */
  phoneWordOfOther: [3, 'phones sold last year 0201234567', 'Calls handled by Ann 48213377'],
  /** A word for a contact, a call or an office, which are also counted and numbered. */
  contactWord: [3, 'Contact 0612345678', 'Suporte 34567890'],
  voicemail: [3, 'caixa postal 48991234567', 'Caixa postal: (48) 99123-4567'],
  phoneWordDenied: [0, 'this is not a phone number: 12345678', 'keine Telefonnummer: 12345678'],
  otherWordNear: [-6, 'Pedido 1134567890', 'Kd-Nr. 1234567890'],
  otherWordFar: [-3, 'Order from the shop 1134567890', 'Il codice da riportare è 0610-24318'],
  /** A word for clients or bookings. They have ids, but their telephone numbers are written as well. */
  clientWord: [-3, 'Customer 1134567890', 'Pedidos: 11 3333-4444'],
  /**
   * An unlisted word with the sign of a label. Bare digits behind it are its own number. A grouped number may be a
   * phone number.
   */
  unknownLabel: [-3, 'Locker: 4155550132', 'Neide: 11 98765-4321'],
  /** The label of a thing: an unknown word with a number sign or in a log, or a word such as "Dossiernummer". */
  numberedLabel: [-6, 'Pulseira n.º 291 440 221', 'Dossiernummer 0612345678'],
  /** The word for another thing already has its number. */
  otherWordTaken: [0, 'Nota 475594386 0800 025 2102', 'NF 000123456: 11 98822-4177'],
  plusOfWord: [-12, 'ZIP+4 94103-1234', 'Disney+1 415 555 0132'],
  serialOfYear: [-3, '02060023/24', '12345678/23'],
  dataField: [-3, 'z-index:2147483647;', '{"id":1134567890}'],
  joinedBySign: [-6, 'E-151673398', 'OFFICE-1 516 733-3989'],
  bareJoinedBySign: [-10, 'E-151673398', 'tel E-151673398'],
  amount: [-6, '1234567 EUR', '12 345 678 Stück'],
  /** Too few digits for a number, and no phone word that makes them an extension. */
  short: [-20, 'Sala 1105', '4711'],
  /** Cards, documents, addresses and years, whatever words are around them. */
  otherShape: [-40, '4111 1111 1111 1111', '123.456.789-09'],
  /** Postal codes and figures. A phone word outweighs this evidence. */
  documentShape: [-14, '88010-400', '1.234.567'],
  unixTime: [-9, '1731844800', 'phone list 1731844800'],
});
