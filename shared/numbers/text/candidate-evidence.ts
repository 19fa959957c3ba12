/**
 * What speaks for and against a stretch of digits being a phone number at all, by its shape and by the words
 * before it.
 */
import { EvidenceTable } from '../evidence.ts';

/** Stretches with fewer points are dropped before any numbering plan is asked. */
export const minCandidatePoints = 0;
/** The points at which the words around a number say that it is one. Digits without any grouping need more. */
export const minWordPoints = 3;
export const minWordPointsForDigits = 4;

export const candidateEvidence = new EvidenceTable({
  plus: [6, '+5548999998888', '+49 30 901820'],
  brackets: [6, '(11) 3456-7890', '(0xx11) 3456-7890'],
  grouped: [3, '11 3456-7890', '01 42 68 53 00'],
  /** Free of charge in many countries: no other thing is written so. */
  freephone: [6, 'Complaint no. 1800 233 4178', 'Beschwerde-Nr. 0800 4824292'],
  areaOfNumberBefore: [11, '(11) 3456-7890 / 3456-7891', '030 12345678/12345679'],
  phoneWord: [11, 'Tel. 34567890', 'ramal 2201'],
  /** Beside a word for telephones, of mobile ones. */
  mobileWord: [0, 'Cel. 11 5571-4032', 'WhatsApp: 341 590-2716'],
  phoneWordFar: [11, 'ligar Ana 11987654321', 'Fax (Frau Wolf) 030901820'],
  phoneWordListed: [4, 'Tel. 3456-7890, 3456-7891', 'fone 34567890 34567891'],
  /** What was said of calls and phones, not of this number. */
  phoneWordOfOther: [3, 'phones sold last year 0201234567', 'Calls handled by Ann 48213377'],
  /** A contact, a call, an office: also things that are counted and numbered. */
  contactWord: [3, 'Contact 0612345678', 'Suporte 34567890'],
  voicemail: [3, 'caixa postal 48991234567', 'Caixa postal: (48) 99123-4567'],
  phoneWordDenied: [0, 'this is not a phone number: 12345678', 'keine Telefonnummer: 12345678'],
  otherWordNear: [-6, 'Pedido 1134567890', 'Kd-Nr. 1234567890'],
  otherWordFar: [-3, 'Order from the shop 1134567890', 'Il codice da riportare è 0610-24318'],
  /** Clients and bookings, which are numbered, but whose telephones are written as well. */
  clientWord: [-3, 'Customer 1134567890', 'Pedidos: 11 3333-4444'],
  /**
   * A word that the lists do not know, with the sign of a label: bare digits are its own, a grouped number
   * may be another's.
   */
  unknownLabel: [-3, 'Locker: 4155550132', 'Neide: 11 98765-4321'],
  /** An unknown word with the sign of a number, in a log, or that ends as a number's name: the label of a thing. */
  numberedLabel: [-6, 'Pulseira n.º 291 440 221', 'Dossiernummer 0612345678'],
  /** The word of another thing has its number already. */
  otherWordTaken: [0, 'Nota 475594386 0800 025 2102', 'NF 000123456: 11 98822-4177'],
  plusOfWord: [-12, 'ZIP+4 94103-1234', 'Disney+1 415 555 0132'],
  serialOfYear: [-3, '02060023/24', '12345678/23'],
  dataField: [-3, 'z-index:2147483647;', '{"id":1134567890}'],
  joinedBySign: [-6, 'E-151673398', 'OFFICE-1 516 733-3989'],
  bareJoinedBySign: [-10, 'E-151673398', 'tel E-151673398'],
  amount: [-6, '1234567 EUR', '12 345 678 Stück'],
  /** Too few digits for a number, and no phone word that makes them an extension. */
  short: [-20, 'Sala 1105', '4711'],
  /** Cards, documents, addresses, years: whatever the words. */
  otherShape: [-40, '4111 1111 1111 1111', '123.456.789-09'],
  /** Postal codes and figures: a phone word outweighs it. */
  documentShape: [-14, '88010-400', '1.234.567'],
  unixTime: [-9, '1731844800', 'phone list 1731844800'],
});
