/** What speaks for and against a stretch of digits being a phone number at all, by its shape and by the words before it. */
import { EvidenceTable } from '../evidence.ts';

/** Stretches with fewer points are dropped before any numbering plan is asked. */
export const CANDIDATE = 0;

export const candidateEvidence = new EvidenceTable({
  plus: [6, '+5548999998888', '+49 30 901820'],
  brackets: [6, '(11) 3456-7890', '(0xx11) 3456-7890'],
  grouped: [3, '11 3456-7890', '01 42 68 53 00'],
  phoneWord: [3, 'Tel. 34567890', 'ligar para 11987654321'],
  otherWordNear: [-6, 'Pedido 1134567890', 'Kd-Nr. 1234567890'],
  otherWordFar: [-3, 'Order from the shop 1134567890', 'KvK bij ons 12345678'],
  plusOfWord: [-12, 'ZIP+4 94103-1234', 'Disney+1 415 555 0132'],
  serialOfYear: [-3, '02060023/24', '1234567/8'],
  dataField: [-3, 'z-index:2147483647;', '"id":1134567890,'],
  joinedBySign: [-6, 'E-151673398', 'foo/1134567890'],
  amount: [-6, '1234567 EUR', '12 345 678 Stück'],
  otherShape: [-20, '4111 1111 1111 1111', '123.456.789-09'],
});
