import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DroppedDigits } from '../number.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { blockBorder } from './characters.ts';
import { scan } from './scan.ts';
import { ScannedText } from './scanned-text.ts';

const { bit } = candidateEvidence;

const found = (text: string): string[] => scan(text).map((candidate) => candidate.text);

describe('spans', () => {
  test.each([
    ['a bracket around the area code belongs to the number', 'Call (415) 555-0132.', ['(415) 555-0132']],
    ['a bracket around the whole number does not', 'Ann (415-555-0132) called', ['415-555-0132']],
    ['an extension belongs to it', 'Tel. 415-555-0132 ext. 503, Ann', ['415-555-0132 ext. 503']],
    [
      'an extension in brackets belongs to it with its bracket',
      'Tel. 415-555-0132 (ext. 5)',
      ['415-555-0132 (ext. 5)'],
    ],
    [
      'a Russian extension belongs to it',
      'тел. 8 (495) 281-04-73, доб. 1046',
      ['8 (495) 281-04-73, доб. 1046'],
    ],
    [
      'an extension with a dash behind its word belongs to it',
      'Phone: +91-731-264 7183 (Extn- 3172)',
      ['+91-731-264 7183 (Extn- 3172)'],
    ],
    ['a letter with a dash does not', 'Tel. 415-555-0132 x-200', ['415-555-0132']],
    ['the label does not', 'Tel:+55 48 99999-8888', ['+55 48 99999-8888']],
    [
      'a slash behind the calling code, trunk zero and area',
      'Tel.: +49 (0)6187 / 207 31 46',
      ['+49 (0)6187 / 207 31 46'],
    ],
    ['a slash behind the calling code and a long area', '+49 36601/2073146', ['+49 36601/2073146']],
    ['a slash behind 00 and a long area', '0049 36601 / 207 31 46', ['0049 36601 / 207 31 46']],
    ['a slash between two short numbers', '+43 1 5131 / 5132', ['+43 1 5131', '5132']],
    [
      'two numbers behind an area of two digits',
      'Tel. (01) 513 1234 / 513 1235',
      ['(01) 513 1234', '513 1235'],
    ],
    ['carrier selection is read through', 'fone (0xx11) 3456-7890', ['(0xx11) 3456-7890']],
    ['carrier selection without brackets', 'fone 0xx11 3456-7890', ['0xx11 3456-7890']],
    ['carrier selection behind a calling code', '+55 (0xx11) 98765-4321', ['+55 (0xx11) 98765-4321']],
    ['carrier selection in spaces', 'fone (0 xx 11) 3456-7890', ['(0 xx 11) 3456-7890']],
    ['carrier selection between dashes', '0-xx-11-3456-7890', ['0-xx-11-3456-7890']],
    ['carrier selection without its zero', 'Fone (xx11) 3333-4444', ['11) 3333-4444']],
    ['full-width digits and plus', 'Tel ＋５５ １１ ３４５６−７８９０', ['＋５５ １１ ３４５６−７８９０']],
    [
      'non-breaking and thin spaces',
      'tel +33\u00a06\u200912\u202f34\u200956\u200978',
      ['+33\u00a06\u200912\u202f34\u200956\u200978'],
    ],
    ['direction marks inside', 'tel \u202a+972 50\u200e-123-4567\u202c', ['+972 50\u200e-123-4567']],
    ['Arabic digits', 'tel ٠٥٠١٢٣٤٥٦٧', ['٠٥٠١٢٣٤٥٦٧']],
    ['extended Arabic digits', 'tel ۰۵۰۱۲۳۴۵۶۷', ['۰۵۰۱۲۳۴۵۶۷']],
    ['Devanagari digits', 'मोबाइल ९८७६५ ४३२१०', ['९८७६५ ४३२१०']],
    ['a phone word glued before it', 'WhatsApp11988224177', ['11988224177']],
    ['a phone word glued behind it', '11988224177WhatsApp', ['11988224177']],
    ['an abbreviated phone word glued before it', 'tel.34567890', ['34567890']],
    ['an extension glued to its word', 'ramal2201', ['2201']],
    ['a word of another number', 'Nota 475594386 0800 025 2102', ['0800 025 2102']],
    ['a word of another number, whose own is short', 'Nota 4711 0800 025 2102', ['0800 025 2102']],
    ['a word of another number before bare digits', 'Pedido 887766 11988224177', ['11988224177']],
    ['a room before its bracket', 'Sala 12 (11) 3333-4444', ['(11) 3333-4444']],
    ['a house before its bracket', 'Av. Brasil 1500 (11) 3333-4444', ['(11) 3333-4444']],
    ['a branch before its bracket', 'Filial 1 (48) 3322-9000', ['(48) 3322-9000']],
    ['a shop with a zero before its bracket', 'Loja 03 (41) 3222-3333', ['(41) 3222-3333']],
    ['the count of a list before its bracket', '1) (11) 4002-8922', ['(11) 4002-8922']],
    ['a house before its area code', 'Rua A 1500 11 3333-4444', ['11 3333-4444']],
    ['a suite before it', 'Suite 300 415-555-0132', ['415-555-0132']],
    ['a house that could be a calling code', 'Rua X 49 (11) 3333-4444', ['(11) 3333-4444']],
    ['a house in an abbreviated street', 'R. Augusta, 55 (11) 3333-4444', ['(11) 3333-4444']],
    ['a house before a trunk zero', 'Goethestraße 49 030 901820', ['030 901820']],
    ['a house and a dash', 'R. XV de Novembro, 300 - 41 3222-1234', ['41 3222-1234']],
    ['a flat before a trunk zero', 'Flat 2 020 7946 0958', ['020 7946 0958']],
    ['a door before pairs of digits', '3 01 42 68 53 00', ['01 42 68 53 00']],
    ['a phone word behind a street', 'Rua X, tel 55 (11) 3333-4444', ['55 (11) 3333-4444']],
    ['a rating, and by how many', '4.8 (12) (415) 555-0132', ['(415) 555-0132']],
    ['by how many thousands', '4,6 (1.234) (11) 3333-4444', ['(11) 3333-4444']],
    ['by how many, and a point', '4,8(321) · 11 3333-4444', ['11 3333-4444']],
    ['a dash behind a trunk zero and its area', 'TK, 0160-9447 1832', ['0160-9447 1832']],
    ['an order behind a middle dot', '+44 20 7946 0958 · 4500012313', ['+44 20 7946 0958', '4500012313']],
    ['a count before a long dash', 'DPD 12 — 9949 258 164', ['9949 258 164']],
    ['a cell of a table in plain text', '17.382.649  0381 423-8260', ['0381 423-8260']],
    ['one number typed with two spaces', '0381  423-8260', ['0381  423-8260']],
    ['a state before it', 'RJ 21 2555-1234, TX 512-555-0134', ['21 2555-1234', '512-555-0134']],
    [
      'a city with its state',
      'Mohali, PB 98140 12345, Kochi - KL 484 2345678',
      ['98140 12345', '484 2345678'],
    ],
    ['a company before it', 'Muster GmbH 030 901820, Rossi SRL 02 1234567', ['030 901820', '02 1234567']],
    ['a profession before it', 'Jane Doe, DDS 214-555-0134', ['214-555-0134']],
    ['the word for an area code', 'DDD 48 99988-7766', ['48 99988-7766']],
    [
      'days of the week with their hours',
      'Mon-Fri 9-5 214-555-0134, pn-pt 8-16 22 123 45 67',
      ['214-555-0134', '22 123 45 67'],
    ],
    [
      'hours with minutes',
      '9.00-17.30 0161 496 0123, alle 18.00 02 1234567',
      ['0161 496 0123', '02 1234567'],
    ],
    ['a postal code of Brazil', 'CEP 88015-200 48 3222-1111', ['48 3222-1111']],
    ['a postal code of Brazil before a dash', 'SC, 88015-200 - 48 3222-1111', ['48 3222-1111']],
    ['a postal code of Brazil before a slash', 'CEP 88015-200 / 0800 722 4411', ['0800 722 4411']],
    ['a postal code of India', 'Chennai 600017 044 2447 1882', ['044 2447 1882']],
    ['a postal code before a bracket', 'CEP: 88015-200 - (48) 3222-1111', ['(48) 3222-1111']],
    ['a postal code before a plus', 'CEP 88015200 +55 48 3222-1111', ['+55 48 3222-1111']],
    ['a serial of a year', 'facture 2026-00412 01 53 25 60 00', ['01 53 25 60 00']],
    ['a file with its year', 'Az. 12 O 345/26 030 901820', ['030 901820']],
    ['a reference with a slash', 'Ref 12345 / 214-555-0134', ['214-555-0134']],
    ["a room's number", 'Zi. 214 030 901820', ['030 901820']],
    ['a whole number before a trunk zero', '9949 258 164 040 2758 1649', ['9949 258 164', '040 2758 1649']],
    ['the room behind it', 'conserjería · 920 21 10 24 hab. 204', ['920 21 10 24']],
    ['a number in brackets behind what it reaches', 'en la agencia (952 44 71 08)', ['952 44 71 08']],
    ['a Turkish phone word behind it', 'sizi 5324471892 nolu telefondan', ['5324471892']],
    ['a Turkish line behind it', "sizi 5324471892 no'lu hattan", ['5324471892']],
    ['a Hindi phone word behind it', 'kripya 9844718820 par call karen', ['9844718820']],
    ['a call centre behind it', 'Bize 0850 724 61 38 numaralı destek hattımızdan ulaşın', ['0850 724 61 38']],
    ['a phone word in brackets behind it', 'pode ser 19997214480 (whats)', ['19997214480']],
    ['an order behind a dash', '020 7946 0958 - 4500012313', ['020 7946 0958', '4500012313']],
    ['a town behind pairs', 'Tel. 089 / 12 34 56 78 10115 Berlin', ['089 / 12 34 56 78']],
    ['a mobile behind a dash', '06 4817 2635 - 338 481 7263', ['06 4817 2635', '338 481 7263']],
    ['a slash and a dash', '06/48172635 - 338/4817263', ['06/48172635', '338/4817263']],
    ['a slash between two', '912847193/612 84 71 93', ['912847193', '612 84 71 93']],
    ['an area behind a slash', 'Tel. 41 3342-7718 / 48 99127-6304', ['41 3342-7718', '48 99127-6304']],
    ['a last group with a zero before a date', '+44 (0)20 7946 0958 12/05/2024', ['+44 (0)20 7946 0958']],
    [
      'a last group with a zero before a number',
      '+44 (0)20 7946 0958 - 020 7946 0958',
      ['+44 (0)20 7946 0958', '020 7946 0958'],
    ],
    ['hours of all days', 'Tel. 21 123 4567 24/7, +34 612 345 678 24/7', ['21 123 4567', '+34 612 345 678']],
    ['areas in slashes', '030 28471936 / 0221/847193', ['030 28471936', '0221/847193']],
    ['an order right behind it', '+49 30 901820-14 4500012312', ['+49 30 901820-14', '4500012312']],
    ['a calling code in its own brackets', '(55) (11) 3333-4444', ['(55) (11) 3333-4444']],
    ['a day and a month', '22/11 11 3333-4444', ['11 3333-4444']],
    ['hours', 'Lun-Vie 9-18 912 345 678', ['912 345 678']],
    ['the count of a list before a trunk zero', '1) (030) 901820', ['(030) 901820']],
    ['the count of a list before its area code', '1. 11 3333-4444', ['11 3333-4444']],
    [
      'an area code and the rest twice',
      '333 1234567 06 4567890, +39 02 45678901 333 1234567',
      ['333 1234567', '06 4567890', '+39 02 45678901', '333 1234567'],
    ],
    ['an id with a number inside it', 'Numéro FIP 75 0612457890 1', ['75 0612457890 1']],
    ['the key of the figure behind it', 'INFO 4155550132 ms=200', ['4155550132']],
    ['a name joined by a sign', 'Ana-48 99122-4466, Rui/(48) 3322-4466', ['48 99122-4466', '(48) 3322-4466']],
    ['hours behind a number', '030 901820 9-18, 0221/847193 10-17', ['030 901820', '0221/847193']],
    [
      'an amount behind a calling code',
      '+49 30 901820 24 h, +49 30 901820 2024',
      ['+49 30 901820', '+49 30 901820'],
    ],
    ['a house and a dash', 'Rua A, 123 - 48991224466, Via B 7 - 333 1234567', ['48991224466', '333 1234567']],
    ['a new number', 'neue Nummer 01712345678\nnº nuevo 612345678', ['01712345678', '612345678']],
    ['what to do with it', 'Me liga 48991224466 urgente\nprovare 3331234567', ['48991224466', '3331234567']],
    ['whose it is', 'Spouse: 4157294471\nhubby 07429018842', ['4157294471', '07429018842']],
    ['points of a list', '1. 261 423-4567\n2. 0221/847193', ['261 423-4567', '0221/847193']],
    ['brackets of a list', '1) 912 345 678 2) 612 345 678', ['912 345 678', '612 345 678']],
    [
      'a bracket of a list before a plus',
      '1) 030 901820 2) +49 40 3344550',
      ['030 901820', '+49 40 3344550'],
    ],
    [
      'square brackets of a list',
      '[1] 11 98765-4321 [2] (11) 3456-7890',
      ['11 98765-4321', '(11) 3456-7890'],
    ],
    ['dashes of a list', '1 - 06.12.34.56.78\n2 - 0145678912', ['06.12.34.56.78', '0145678912']],
    ['colons of a list', '1: 030 901820 2: 0221/847193', ['030 901820', '0221/847193']],
    [
      'keycaps of a list',
      '1\ufe0f\u20e3 030 901820 2\ufe0f\u20e3 612 345 678',
      ['030 901820', '612 345 678'],
    ],
    ['points of a list from ten on', '10. 261 423-4567\n11. 98450 12345', ['261 423-4567', '98450 12345']],
    [
      'points of a list with zeros',
      '01. (0211) 837-4471\n02. 11 98765-4321',
      ['(0211) 837-4471', '11 98765-4321'],
    ],
    [
      'points of a list without spaces',
      '1.0351 8472-195\n2.(11) 3456-7890',
      ['0351 8472-195', '(11) 3456-7890'],
    ],
    [
      'brackets of a list without spaces',
      '1)261 423-4567\n2)0800 729 0722',
      ['261 423-4567', '0800 729 0722'],
    ],
    ['brackets around the counts of a list', '(2) 261 423-4567', ['261 423-4567']],
    ["North America's trunk digit in brackets", '(1) 415 729-4471', ['(1) 415 729-4471']],
    ['a house before a number in other groups', 'Av. Maipú 12 0341 482-0612', ['0341 482-0612']],
    ['a house behind a comma', 'Calle Mayor, 12 93 481 72 60', ['93 481 72 60']],
    ['a day before a trunk zero', '28/11 0341 482-0612', ['0341 482-0612']],
    ['a day behind it', '030 901820 28/11', ['030 901820']],
    ['a 9 and a point before a local number', '9.8765-4321', ['9.8765-4321']],
    ['a 9 and a dash before a local number', '9 - 8765-4321', ['9 - 8765-4321']],
    ['an area code before bare digits, whose first bracket is not there', '48)991276304', ['48)991276304']],
    ['an area code whose first bracket is not there', 'Tel. 48) 3322-4466', ['48) 3322-4466']],
    ['an area code behind a word in its bracket', '(DDD 48) 3322-4466', ['48) 3322-4466']],
    [
      'a point behind the count of phone words',
      'Tel.1 (011) 4321-8765 / Tel.2 11 2345-6789',
      ['(011) 4321-8765', '11 2345-6789'],
    ],
    ["North America's trunk digit behind a dash", '1 - 415-729-4471', ['1 - 415-729-4471']],
    ['a plus between two', '(11) 3456-7890 + 48 3322-4466', ['(11) 3456-7890', '48 3322-4466']],
    ['a plus apart from its digits', 'Tel. + 48 22 123 45 67', ['+ 48 22 123 45 67']],
    ['bold and italic', '*+33 4 72 10 30 30* _01 42 68 53 00_', ['+33 4 72 10 30 30', '01 42 68 53 00']],
    ['a barcode between asterisks', '*912847193*', []],
    ['a comma between two', '(11) 3456-7890,11 98765-4321', ['(11) 3456-7890', '11 98765-4321']],
    ['decimals behind its pairs', '+33 4 72 10 30 30,50', []],
    ['a date behind pairs and a dash', '+33 4 72 10 30 30 - 28/11/2026', ['+33 4 72 10 30 30']],
    ['a year behind it', '030 901820 2024', ['030 901820']],
    ['a last group that could be a year', '030 9018 2024', ['030 9018 2024']],
    ['minutes behind it', '030 901820 5 min, +49 40 3344550 12 min', ['030 901820', '+49 40 3344550']],
    ['a part and its price', '33-1826-4097 $933.18', []],
    ["an area code behind what could be a street's word", 'llamarla al 351 15 612-4478', ['351 15 612-4478']],
    ['an amount before its sign', '50,00 € 612 345 678', ['612 345 678']],
    ['a time behind it', '612 345 678 9:00-18:00', ['612 345 678']],
    ['an extension before it', 'Ext. 12 912 34 56 78', ['912 34 56 78']],
    ['an equals sign before its bracket', 'phone=(11) 3456-7890', ['(11) 3456-7890']],
    ['a calling code in brackets before pairs', '(34) 612 34 56 78', ['(34) 612 34 56 78']],
    ['a calling code in brackets before threes', '(351) 912 345 678', ['(351) 912 345 678']],
    ['the 9 of an Argentine mobile', 'cel 9 11 2345-6789', ['9 11 2345-6789']],
    ['the 15 of an Argentine mobile', '11 15 2345-6789', ['11 15 2345-6789']],
    ['names behind slashes', 'Ana(11)98822-4178/Rui(11)98822-4179', ['(11)98822-4178', '(11)98822-4179']],
    ['a company behind its number', 'CNPJ 12.345.678/0001-90 11 3333-4444', ['11 3333-4444']],
    ['a company behind its number and a dash', '12.345.678/0001-90 - 11 3333-4444', ['11 3333-4444']],
    ['a person behind their number', 'CPF 123.456.789-09 11 98765-4321', ['11 98765-4321']],
    ['the count of a phone word', 'tel2 11 2222-3333', ['11 2222-3333']],
    ['the count of a phone word in other groups', 'Phone2 912 345 678', ['912 345 678']],
    ['the count of a phone word before bare digits', 'Tel1 11987654321', ['11987654321']],
    ['a calling code without its plus is a part of it', '55 (11) 3333-4444', ['55 (11) 3333-4444']],
    ['a calling code of three digits too', '351 (21) 123-4567', ['351 (21) 123-4567']],
    ["so is the trunk digit of America's", 'Line 1 (415) 555-0132', ['1 (415) 555-0132']],
    ['so is a trunk zero', 'tel 0 (11) 3333-4444', ['0 (11) 3333-4444']],
    ['a trunk zero with a dash behind its area code', '022-2345 6789', ['022-2345 6789']],
    ['extensions behind a slash', 'Ramais 2201/2202/2203', ['2201', '2202', '2203']],
    ['extensions from one to another', 'ext. 4101-4109', ['4101', '4109']],
    ['extensions with a spaced dash', 'ramal 2201 - 2202', ['2201', '2202']],
    ['two short numbers behind a slash', 'Tel. 4001/4002', ['4001', '4002']],
    ['three short numbers behind slashes', 'Tel. 4001/4002/4003', ['4001', '4002', '4003']],
    ['two local numbers of six digits', 'Tel. 401234/401235', ['401234', '401235']],
    ['short numbers behind an area code', 'Tel. 11 4001/4002', []],
    ['short numbers before a whole one', 'Tel. 4001/4002 11 98765-4321', ['11 98765-4321']],
    ['a slash behind an area code of three digits', 'Tel. 415/555-0132', ['415/555-0132']],
    ['a slash behind a trunk zero', 'Tel. 06021/12345', ['06021/12345']],
    ['a number of four and four behind the same word', 'ramal 3333-4444', ['3333-4444']],
    ['what is dialled after a pause', 'One tap: +551147009668,,81994567890#,,,,*123456#', ['+551147009668']],
    ['numbers behind their countries', 'ES 612 345 678 PT 912 345 678', ['612 345 678', '912 345 678']],
    ['a postal code behind bare digits', '4155550132 94103', ['4155550132']],
    ['a postal code and its town', '030 901820 10115 Berlin', ['030 901820']],
    ["a doctor's practice in Austria", 'Ordination: 01 4051234', ['01 4051234']],
    ['coordinates behind a national number', '020 7946 0123 51.5074, -0.1278', ['020 7946 0123']],
    [
      'what is counted behind it',
      '+351 912345678 3 min, +90 532 123 45 67 250 TL, +551134567890 2 GB',
      ['+351 912345678', '+90 532 123 45 67', '+551134567890'],
    ],
    ['a unit behind its last pair', '+49 1512 345 67 89 kg', ['+49 1512 345 67 89']],
    ['a price behind an international one', '+1 415 555 0132 1250.00 USD', ['+1 415 555 0132']],
    ['those that take orders', 'Pedidos: 11 3333-4444', ['11 3333-4444']],
    ['a name behind a dash', '11988224177-Ana', ['11988224177']],
    ['a phone word and a sign', 'Mobile#4155550132 phone=4155550133', ['4155550132', '4155550133']],
    ['voicemail of somebody', 'caixa postal do 48991234567', ['48991234567']],
    ['voicemail', 'Deixou na caixa postal 48991234567', ['48991234567']],
    ['a postal code behind it', 'fone 48 99123-4567 88010-400', ['48 99123-4567']],
    ['a price behind it', '(48) 99123-4567 R$ 1.250,00', ['(48) 99123-4567']],
    ['a bare price behind it', '(48) 99123-4567 1.250,00', ['(48) 99123-4567']],
    ['coordinates behind it', 'tel 48 99123-4567 -27.5954, -48.5480', ['48 99123-4567']],
    ['several in a row', 'tel 3456-7890 3456-7891', ['3456-7890', '3456-7891']],
    [
      'several in a row, whose first groups repeat',
      'Tel. 91 234 56 78 912 34 56 78',
      ['91 234 56 78', '912 34 56 78'],
    ],
    [
      'several in a row with their calling codes',
      '+55 11 3456 7890 55 11 3456 7891',
      ['+55 11 3456 7890', '55 11 3456 7891'],
    ],
    ['two in a row with one calling code', '+34 91 234 56 78 91 234 56 78', []],
    [
      'several in a row, all of the same shape',
      '01 23 45 67 89 06 12 34 56 78',
      ['01 23 45 67 89', '06 12 34 56 78'],
    ],
    ['alternatives behind a slash', '(31) 3222-1000/(31) 3222-1001', ['(31) 3222-1000', '(31) 3222-1001']],
    ['an alternative last part', 'tel 3456-7890/7891', ['3456-7890', '7891']],
    [
      'an alternative last part that is set apart',
      'Tel.: 55 11 3456 7890 / 7891',
      ['55 11 3456 7890', '7891'],
    ],
    ['a range of dates behind it', '0171 1234567 04.03.2024-08.03.2024', ['0171 1234567']],
    [
      'a sentence behind it',
      '+52 (951) 132 8847. 180 pax, 01792 48 33 07. 12 Mar',
      ['+52 (951) 132 8847', '01792 48 33 07'],
    ],
    ['a second line behind a dash', 'Rıfat Bey 0536 618 27 40 - 41 (iki hat)', ['0536 618 27 40']],
    ['a house and a spaced dash before it', 'Av. Colón 1840 – 0351 468-2274 – 8 bultos', ['0351 468-2274']],
    ['the charge of a call behind it', 'Agência: 253614880 (chamada p/ rede fixa nacional)', ['253614880']],
    ['hours behind it', 'society off 022 26403917 10 to 6', ['022 26403917']],
    ['pairs in slashes', 'Portable mère: 06/77/33/04/18', ['06/77/33/04/18']],
    ['a mobile number of Italy in a note', 'bagno,,, 328.1640397 Gianni', ['328.1640397']],
    ['a number like an address of a computer', 'Tel. 93.208.17.76', ['93.208.17.76']],
    ['dots between groups', 'Geral 21.360.71.90', ['21.360.71.90']],
    ['dots with spaces', 'Appelez le 01. 42. 68. 53. 00 demain', ['01. 42. 68. 53. 00']],
    ['an account before it', 'Access, acct 70272 – 1-877-604-2291', ['1-877-604-2291']],
    ['a call free of charge', 'Complaint no. 1800 233 4178', ['1800 233 4178']],
    ['a time behind an international one', '+52 1 442 318 6075 4:22 p. m.', ['+52 1 442 318 6075']],
    ['whom it is of, in Italian', '+393337190462, lei 366 28 71 504', ['+393337190462', '366 28 71 504']],
    ['a house and its flat before it', '7. Cad. 41/9 — 0555 207 46 81', ['0555 207 46 81']],
    ['a number that is green', 'Numero verde 800123456', ['800123456']],
    ['a phone word before what may be a year', 'Tel. 03361/2023', ['03361/2023']],
    ['a date behind it', '(914)349-8600 04/21/2020 12:37:30', ['(914)349-8600']],
    ['a date behind digits of Arabic', '٠١١٢ ٣٤٥ ٦٧٨٩ 12/05/2024', ['٠١١٢ ٣٤٥ ٦٧٨٩']],
    ['a time behind it', '(914) 349-8600 12:30', ['(914) 349-8600']],
    [';ext= of a tel: URI', 'tel:+55-48-99999-8888;ext=12', ['+55-48-99999-8888;ext=12']],
    ['# before an extension', '415-555-0132 #12', ['415-555-0132 #12']],
    ['a full stop at the end', 'Ligue 3456-7890. 20 minutos depois', ['3456-7890']],
  ])('%s', (_what, text, expected) => expect(found(text)).toEqual(expected));
});

describe('an abbreviated number', () => {
  test.each([
    ['tel 3456-7890/7891', ['7891', '3456-7891']],
    ['tel 34567890/7891', ['7891', '34567891']],
    ['Tel.: (11) 3456-7890/91', ['91', '(11) 3456-7891']],
    ['+55 11 3456-7890/7891', ['7891', '+55 11 3456-7891']],
    ['(11) 3456-7890 / 7891', ['7891', '(11) 3456-7891']],
    ['fones 3456-7890/7891/7892', ['7891', '3456-7891'], ['7892', '3456-7892']],
    ['fones 3456-7890/91/92', ['91', '3456-7891'], ['92', '3456-7892']],
    ['tel 3222-2010/2011', ['2011', '3222-2011']],
    ['Tel. 3456-7890 ou 7891.', ['7891', '3456-7891']],
    ['Tel. 030 123456-0/-12', ['12', '030 123456-12']],
    ['Tel.: 030 123456-0, Fax: -99', ['99', '030 123456-99']],
    ['Tel. +49 30 123456-0, -12 oder -13', ['12', '+49 30 123456-12'], ['13', '+49 30 123456-13']],
    ['Tel. 0201 1234567/-68', ['68', '0201 1234568']],
    ['tel 3456-7890/7891 99999-8888', ['7891', '3456-7891']],
    ['agence Toulouse 05 34 60 27 11/12', ['12', '05 34 60 27 12']],
    ['na oficina (213 847 100 ou 102), orçamento', ['102', '213 847 102']],
  ])('%s', (text, ...expected) => {
    const ends = scan(text).filter((candidate) => candidate.whole !== undefined);
    expect(ends.map(({ text: own, whole }) => [own, whole])).toEqual(expected);
  });

  test.each([
    ['a year', 'tel 11 3456-7890/2024'],
    ['a date', 'tel 3456-7890/12/2024'],
    ['a process number', 'tel 3456-7890/2024-1'],
    ['a range that counts down', 'tel 3456-7890/12'],
    ['a share', 'tel 3456-7890/95%'],
    ['hours', 'tel 3456-7890 / 24 horas'],
    ['hours without a space', 'tel 3456-7890/24h'],
    ['a time', 'tel 3456-7890 / 12:30'],
    ['a price', 'tel 3456-7890 / 7899,90'],
    ['a count of things', 'tel 3456-7890 e 7900 clientes'],
    ['a number of its own', 'tel 3456-7890/0800 123 4567'],
    ['digits in another sentence', 'tel 3456-7890. 7891'],
    ['digits on the next line', 'tel 3456-7890\n7891'],
    ['two digits that no word calls a phone number', '415-555-0132/33'],
    ['a temperature', 'tel 3456-7890, -12'],
    ['the same ending', 'tel 3456-7890/7890'],
    ['an area and its number', 'tel 3456-7890/0221/8471'],
    ['an ending before a year', 'tel 3456-7890/91/2024'],
    ['a day', 'Fermé : 05 34 60 27 24/25 décembre'],
    ['a count of persons', '030 711 88 10/12 Personen'],
    ['an ending that does not follow', 'agence 05 34 60 27 11/42'],
    ['an ending of one digit', 'agence 05 34 60 27 1/2'],
  ])('is not %s: %s', (_what, text) => {
    expect(scan(text).filter((candidate) => candidate.whole !== undefined)).toEqual([]);
  });
});

describe('a local number beside one with an area code', () => {
  test.each([
    ['(11) 3456-7890 / 3456-7891', '(11) 3456-7891'],
    ['(11) 3456-7890 ou 99999-8888', '(11) 99999-8888'],
    ['+55 11 3456-7890, 3456-7891', '+55 11 3456-7891'],
    ['415-555-0132 or 555-0133', '415-555-0133'],
    ['030 12345678/12345679', '030 12345679'],
    ['+1 415-555-0132 / 510-555-0133', '+1 510-555-0133'],
  ])('takes it too: %s', (text, whole) => expect(scan(text)[1]).toMatchObject({ whole }));

  test.each([
    ['(11) 3456-7890\n3456-7891'],
    ['(11) 3456-7890  3456-7891'],
    ['(11) 3456-7890. Ana: 3456-7891'],
    ['tel 030 12345678 / 0171 1234567'],
    ['(11) 3456-7890 / (21) 3456-7891'],
    ['tel 3456-7890 / 3456-7891'],
  ])('does not take it where it has its own or is set apart: %s', (text) => {
    expect(scan(text).filter((candidate) => candidate.whole !== undefined)).toEqual([]);
  });
});

describe('a number beside a version, a rating or a sign of a list', () => {
  test.each([
    ['behind a version', '4.8.2 030 901820', ['030 901820']],
    ['before a rating', '(415) 555-0132 4.5 (120)', ['(415) 555-0132']],
    ['behind a rating with a slash', '4.5/5 030 901820', ['030 901820']],
    ['behind the number of a section', '2.1 (030) 901820', ['(030) 901820']],
    ['in dots', '0.800.123.456', ['0.800.123.456']],
    ['in dots with one digit', '1.415.555.0132', ['1.415.555.0132']],
    ['in dots with its calling code', '33.1.42.68.53.00', ['33.1.42.68.53.00']],
    ['in dots with a plus', '+49.0.30.901820', ['+49.0.30.901820']],
    ['behind a plus as the sign of a list', '+ 48 3322-4466', ['+ 48 3322-4466']],
    ['behind a plus and a space', '+ 4930901820', ['+ 4930901820']],
    ['whose first digits could be a year, behind capitals', 'TEL-2022-1012', ['2022-1012']],
    ['behind a phone word', 'Tel. 2147483647', ['2147483647']],
    ['with dots and a space', '01.42 68.53.00, 48 3322.4466', ['01.42 68.53.00', '48 3322.4466']],
    ['of two whole numbers in dots', '0461.898111 0461.985431', ['0461.898111', '0461.985431']],
    ['with a dot behind its calling code', '55.11 3456.7890', ['55.11 3456.7890']],
    ['with a bracket behind its calling code and a dot', '+49.(0)30.901820', ['+49.(0)30.901820']],
    ['like decimals behind a phone word', 'Tel. 93.481 72.60', ['93.481 72.60']],
  ])('%s', (_what, text, numbers) => expect(found(text)).toEqual(numbers));
});

describe('a number that is written almost like a version, a decimal or a serial', () => {
  test.each([
    '00.49.(0)30.901820',
    '00.54.(11) 4321-0000',
    '444.0.850',
    '0850.222.0.444',
    '(0850).222.0.444',
    '+90 850.222.0.444',
    '(+33) 0.6.12.34.56.78',
    '0033 0.6.12.34.56.78',
    '+ 33.0.6.12.34.56.78',
    '91.234 56.78',
    '22.123 45.67',
  ])('is found whole: %s', (text) => expect(found(text)).toEqual([text]));

  test('is found behind the dash of a word', () => {
    expect(found('Telefones: casa-2022-1012, trabalho-2033-4455')).toEqual(['2022-1012', '2033-4455']);
  });
});

describe('other things', () => {
  test.each([
    ['e-mail address', 'joao4155550132@example.com 415555@example.com'],
    ['web address', 'https://example.com/a/4155550132?b=4155550133#4155550134'],
    ['UUID', '550e8400-e29b-41d4-a716-446655440000'],
    ['UUID of digits and few letters', '55008400-2929-41d4-a716-446655440000'],
    ['hash', 'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
    ['IP address', '192.168.100.200'],
    ['IP networks', 'src 192.168.1.0/24 192.168.2.0/24'],
    ['range of IP addresses', '192.168.1.10-254'],
    ['IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['Belgian IBAN', 'BE71 0961 2345 6769'],
    ['code of a pallet', 'UCC-128 (00) 0 0084691 000018273 6'],
    ['check of two digits', 'Parte IT 6447188-27'],
    ['serial of a year', 'reclamo 2025-0048217'],
    ['account in groups of four, with the letters glued to it', 'JD0002 2222 3333 44'],
    ['Dutch IBAN', 'NL91 ABNA 0417 1643 00'],
    ["a parcel's code", 'Objeto RB 612 345 678 PT, postado'],
    ["a parcel's code with its check digit apart", 'Poste RR 93510672 5 IT'],
    ['card', '4111 1111 1111 1111'],
    ['coordinates', '-23.550520, -46.633308'],
    ['thousands', '1,234,567,890'],
    ['decimal comma', '1234567,89'],
    ['formula', '(45)+(31)-278394 = 12345678*2'],
    ['percent', '12345678%'],
    ['a sum behind its currency', 'se fija en $ 2.614.230 el monto'],
    ['an index with its date', 'Planindex: 0511-2024-06-03'],
    ["a book's place", 'Signatur 030 145/87, fällig 17.06.2024'],
    ['dates', '12/05/2024 - 15/06/2024'],
    ['a range of days', 'Leistungszeitraum: 04.03.–08.03.2024'],
    ['a range within a month', 'vom 04.–08.03.2024'],
    ['a range of whole dates', '04.03.2024–08.03.2024'],
    ['an international number that goes on', '+52 1 442 318 60754:22'],
    ['a mandate of a telephone company', 'PRLV FREE MOBILE MDT FM-45919845-1'],
    ['digits that only end as a freephone prefix', 'Complaint no. 2800 233 4178'],
    ['a street', 'Calle 47 N° 4536 e/ 18 y 19 - 1900 La Plata'],
    ['a weight', 'HSN 73072900 – 65 KGS'],
    ['a postal code of Portugal', 'Destino: 9500-321 Ponta Delgada'],
    ["a computer's address", 'Host 93.208.17.76'],
    ['a destination of parcels', 'CEP destino 74255-220'],
    ['a postal code of Brazil before a date', 'CEP 38061-500 · 11/04 às 19:41'],
    ['an acronym without a vowel', 'Epis. 25011882 SNS 218 827 041 DN 21/09/1944'],
    ['groups of three that go on', 'imei 352 093 081 412 207, Ptos 918 884 871 856'],
    ['a number sign in small letters', 'Effetto n. 011 8661094'],
    ["a tenant's number", 'Mieternr. 0482.01.03 · 3 Zi'],
    ['a serial number of a year', 'Deal 2022-415958 moved'],
    ['a file of a year', 'Vorlagen 0391/2023, Licença 30316/2017'],
    ['a benefit with its check digit', 'Nº do Benefício: 182.736.450-9'],
    ["a green card's number", 'Carta verde P/1787/757977508'],
    ['date and time behind a phone word', 'Next call for review: 2026-11-23 10:15:41'],
    ['date and hour', 'Ligar 2026-11-23 10h15'],
    ["a call's id", '1731844800.10423'],
    ['customer number', 'Kd-Nr. 1234567890'],
    ['account', 'Acct. 4155550198'],
    ['account of a bank', 'A/c no. 9188447102, passbook a/c 9188447102'],
    ['tickets', 'Biglietti 06-4471-8827, billets 0612345678'],
    ['receivable', 'Título: 11988224100'],
    ['quantity in stock', 'Estoque 1133334444'],
    ['document', 'Documento 1133334444'],
    ['box', 'Caixa postal 48213'],
    ['name that a phone word ends', 'smartphone4155550132 https://example.com/tel4155550132'],
    ['list of orders', 'Pedidos 4812345678 4812345679'],
    ['invoice of two words over it', 'Nota fiscal\n1134567891'],
    ['a day with its time', 'llamar 20/3 10.40 hs, Rückruf 20.3. 10.40 Uhr'],
    ['a coordinate', 'X 5543647.29, Y 7569047.36'],
    ['a coordinate behind a price', '0-100 @ 4.43 | 18.50742 N 73.80771 E'],
    ['the number of a thing in capitals', 'FIDELIDADE NR 40088124, INVENTARIO NR: 1140088124'],
    ['a shortened client', 'Cod. cli. 3471122334, Ordini cli. 3471122334'],
    ['times', '12:30:45 2024-05-12 14:30'],
    ['a version with its day', '0.4.0-20140602, 0.4.0-20140110.1'],
    ['versions with the number of a package', '0.99.30-4.1 and 117.0.5938.62-1'],
    ['the number of a Turkish order', 'Merhaba, 0532 741 06 94 numaralı siparişim'],
    ['the number of a French order by telephone', 'commande 0145678901 par téléphone'],
    ['a parcel behind a Brazilian postal code', 'CEP Objeto 11934567890'],
    ['the code of a Turkish part', 'değişti 0538-904-62-00 kodlu parça'],
    ['versions in a row', '3.6.15/3.7.12 (#2209)'],
    ['a version before its year', '3.7.4 (2017-??-??)'],
    ['an address of a computer with its port', '192.168.0.5 143'],
    ['the greatest number of 32 bits', 'the limit 2147483647 or 2147483648'],
    ['an id of a vulnerability near a word for calls', 'system call: CVE-2022-1012, CVE-2025-40319'],
    ['a serial of a year behind capitals', 'Contact us about INC-2024-10123'],
    ['a plus as the sign of a list', '+ 373603 fix the build'],
    ['decimals in a row', 'gvim 38.646 -> 32.552 38.126, 143.2 10.9   141.9'],
    ['decimals below one', '1.74   0.050  0.050'],
    ['a version with two parts before its year', 'autoconf 2.71 (2021)'],
  ])('%s', (_what, text) => expect(found(text)).toEqual([]));
});

describe('each row of the evidence is found in its examples', () => {
  const rows = candidateEvidence.names.flatMap((name) =>
    candidateEvidence.examples(name).map((example) => [name, example] as const),
  );
  test.each(rows)('%s: %s', (name, example) => {
    const dropped: DroppedDigits[] = [];
    const found = scan(example, dropped);
    const weighed = [...found, ...dropped].map(({ evidence }) => evidence);
    expect(weighed.some((evidence) => evidence & bit[name])).toBe(true);
  });
});

describe('context words', () => {
  test('the nearest word decides', () => {
    expect(found('phone of order 12345678')).toEqual([]);
    expect(scan('order 123, phone 12345678')).toEqual([
      { start: 17, end: 25, text: '12345678', contextWords: 'phone', evidence: bit.phoneWord },
    ]);
  });
  test('a negated phone word has no effect', () => {
    expect(scan('this is not a phone number: 12345678')[0]?.contextWords).toBe('none');
    expect(scan('das ist keine Telefonnummer: 12345678')[0]?.contextWords).toBe('none');
  });
  test.each([
    ['Tel. 020 123 4567, KvK 12345678', 'none'],
    ['Telefon 22 12 34 56, org.nr 91234567', 'none'],
    ['Tel. 3456-7890 (Ana), 3456-7891', 'phone'],
    ['Téléphone 01 42 68 53 00', 'phone'],
    ['TELEFONE: 3456-7890', 'phone'],
    ['telefoonnummer 0201234567', 'phone'],
    ['Celular: 3456-7890', 'mobile'],
    ['wsp 341 590-2716', 'mobile'],
    ['Tel./Cel.: 3456-7890', 'phone'],
    ['Rückrufnummer 0201234567', 'phone'],
    ['Тел. 0441234567', 'phone'],
    ['هاتف 0501234567', 'phone'],
    ['मोबाइल 9876543210', 'phone'],
    ['传真021-68804868', 'phone'],
    ['전화번호는 02-1234-5678', 'phone'],
    ['phones sold last year 0201234567', 'none'],
    ['Contact 0612345678', 'none'],
    ['Contact 06 12 34 56 78', 'phone'],
  ] as const)('%s: the last has the context %s', (text, contextWords) => {
    const last = scan(text).at(-1);
    expect(last === undefined || !text.endsWith(last.text) ? 'none' : last.contextWords).toBe(contextWords);
  });
  test.each([
    'Dossiernummer 0612345678',
    'Handyrechnung 0612345678',
    'phone_id: 4155550132',
    'VAT GB 611 2194 97',
    'phones sold: 12.345.678',
    '2024/1234567',
    'tel 1876-1976',
    'ZIP+4 94103-1234',
    '02060023/24',
    'doi 10.1016/j.cell.2019.05.031',
    '00190.00009 01234.567890 12345.678901 2 98760000012345',
    'DHL 1234567890',
    'FedEx: 771234567890',
    'رقم الطلب 1133335555',
  ])('of another thing exclude: %s', (text) => expect(found(text)).toEqual([]));
  test('a postal code with its town is not part of the number before them', () => {
    expect(found('0171 1234567 10115 Berlin')).toEqual(['0171 1234567']);
    expect(found('fone (11) 3456-7890 01310-100 Centro')).toEqual(['(11) 3456-7890']);
  });
  test('a whole number behind an extension word is a number, not an extension', () => {
    expect(found('Zentrale 0711 123-0, Durchwahl 0711 123-4567')).toEqual(['0711 123-0', '0711 123-4567']);
  });
  test('a word on the line above counts only for a number alone on its line', () => {
    expect(scan('Telefone:\n3456-7890')[0]?.contextWords).toBe('phone');
    expect(scan('Telefone: 3456-7890\nAna 3456-7891')[1]?.contextWords).toBe('none');
  });
  test('an internal extension is a candidate only behind its word', () => {
    expect(found('ramal 1105')).toEqual(['1105']);
    expect(found('Sala 1105')).toEqual([]);
  });
});

const pieces = fc.oneof(
  fc.constantFrom(
    '(',
    ')',
    '+',
    '-',
    '.',
    '/',
    ' ',
    '\u00a0',
    '\u200f',
    'x',
    'ext',
    '#',
    ';',
    ',',
    ':',
    '0xx',
    'tel',
    'pedido',
    'CPF',
    '１２３',
    '４５６７',
    '😀',
    '\ud83d',
    '\udc00',
    '电话',
    '\n',
    '\t',
    '@',
    '%',
    '2024',
    '12/05',
    '11',
    '3456-7890',
    '99999',
  ),
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.stringMatching(/^[0-9]{1,12}$/),
);
const texts = fc.array(pieces, { maxLength: 40 }).map((list) => list.join(''));

describe('for any text', () => {
  test('spans are ordered, disjoint, true to their text, with whole surrogate pairs', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let free = 0;
        for (const { start, end, text: own } of scan(text)) {
          expect(start).toBeGreaterThanOrEqual(free);
          expect(end).toBeGreaterThan(start);
          expect(text.slice(start, end)).toBe(own);
          for (const border of [start, end]) {
            const cut =
              /[\ud800-\udbff]/.test(text[border - 1] ?? '') && /[\udc00-\udfff]/.test(text[border] ?? '');
            expect(cut).toBe(false);
          }
          free = end;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('the numbers in a block do not depend on the adjacent blocks', () => {
    const block = texts.map((text) => text.replaceAll(blockBorder, ''));
    fc.assert(
      fc.property(block, block, (first, second) => {
        const shift = first.length + 1;
        const apart = [
          ...scan(first),
          ...scan(second).map((each) => ({ ...each, start: each.start + shift, end: each.end + shift })),
        ];
        expect(scan(first + blockBorder + second)).toEqual(apart);
      }),
      {
        numRuns: 2000,
        examples: [
          ['(', '0,4155550132'],
          ['4155550132', '(tel'],
          ['$', '415 555 0132'],
          ['Nº', 'cliente 612 34 56 78'],
          ['2026-11-26 10:22:31', 'trabajo 934112233'],
        ],
      },
    );
  });
});

let looks = 0;

const { kindAt } = ScannedText.prototype;
ScannedText.prototype.kindAt = function (at) {
  looks++;
  return kindAt.call(this, at);
};

/** How often a character is looked at: every look is a `charCodeAt` or a `kindAt`. */
function looksAt(text: string): number {
  const original = String.prototype.charCodeAt;
  looks = 0;
  String.prototype.charCodeAt = function (index) {
    looks++;
    return original.call(this, index);
  };
  try {
    scan(text);
  } finally {
    String.prototype.charCodeAt = original;
  }
  return looks;
}

describe('hostile text is scanned in linear time', () => {
  test.each([
    '1',
    '1 ',
    '1-',
    '1.',
    '1/',
    '(1',
    '(1)',
    '+1',
    '-',
    '(',
    '1x',
    '0xx1',
    '12 ',
    '123-',
    '1234567 ',
    '123-456-789x',
    '1 (',
    ',1',
    '1,234',
    'tel ',
    'a1',
    '11 3456-7890/',
    '01.02.2024 ',
    '#12',
    '+0',
    '0 ',
    '１',
    '1\u200f',
    '1\u00a0',
    'not tel 12345678 ',
    '3456-7890/7891/',
    'tel 3456-7890 ou 7891 ',
    '11 3456-7890, 3456-7891, ',
    '/7891',
    'tel 030 123456-0/-12',
    '01/02/2024-',
    '01/02/2024 ',
    '8-16 0123 ',
    '012 34 ',
  ])('%j repeated', (piece) => {
    const size = 20_000;
    const once = looksAt(piece.repeat(Math.ceil(size / piece.length)));
    const twice = looksAt(piece.repeat(Math.ceil((2 * size) / piece.length)));
    expect(once / size).toBeLessThan(60);
    expect(twice).toBeLessThanOrEqual(2.1 * once);
  });
});
