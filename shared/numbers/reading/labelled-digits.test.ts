import type { CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { numbersIn } from '../../../testing/numbers/numbers-in.ts';

describe('a word that is not for telephones', () => {
  test.each<[CountryCode, string]>([
    ['IN', 'PNR: 2345678901'],
    ['US', 'PO # 4155550147'],
    ['US', 'PO #: 4155550147'],
    ['MX', 'Siniestro 8112345678'],
    ['US', 'Votes: 4155550147'],
    ['US', 'AWB: 4155550147'],
    ['US', 'Meter # 4155550147'],
    ['IE', 'MPRN: 0871234567'],
    ['US', 'Session: 4155550147'],
    ['US', 'Permit No. 4155550147'],
    ['PT', 'Multibanco: 912345678'],
    ['DE', 'PZN: 01234567'],
    ['IN', 'खाता: 9876543210'],
    ['US', 'DL# 4155550132 exp 04/2027'],
    ['IN', 'Roll number 8012345671'],
    ['IN', 'WHERE policy_no = 9876123450'],
    ['PT', 'Aluno n.º 962345678'],
    ['DE', 'Beleg-Nr. 01712345678'],
    ['DE', 'Art.-Nr. 01712345678'],
    ['TR', 'Stok kodu: 0224 361 45 08'],
    ['DE', 'Serien-Nr.: 01712345678'],
    ['DE', 'Vorgangs-Nummer: 01712345678'],
    ['US', 'Service Request: 4155550132'],
    ['IT', 'Bolla Interna: 3331234567'],
    ['FR', 'Titre Séjour: 0612345678'],
    ['US', 'Check no 2025550143'],
    ['TR', 'Hesap no 05321234567'],
    ['BR', 'OS: 11987654321'],
    ['BR', 'OS nº 11987654321'],
    ['PL', 'Nr Karty 601234567'],
    ['BR', 'OP 11987654321'],
    ['MX', 'Guía:\n5512345678'],
    ['US', 'Badge 4155550132, 4155550137, 4155550139'],
    ['US', 'orders 4155550132, 4155550137, 4155550139'],
    ['US', 'VIN (last 10): 4155550132'],
    ['US', 'Ref 2: 4155550132'],
    ['US', 'voucher (4155550132)'],
    ['US', 'x(4155550132)'],
    ['BR', 'VALUES (11987654321)'],
  ])('with the sign of a label speaks against bare digits: %s: %s', (country, text) => {
    expect(numbersIn(country, text)).toEqual([]);
  });

  test.each<[CountryCode, string]>([
    ['PT', 'Pulseira n.º 291 440 221'],
    ['FR', 'Recours n° 07-33-64-12-80'],
    ['DE', 'Fallnr. 0157 7332 0091'],
    ['TR', 'Yevmiye madde no: 0532 614 28 90'],
    ['MX', 'Orden de servicio 999-163-8000'],
    ['FR', 'Lot de paiement 07 33 64 12 80'],
    ['ES', 'Código devolución 654-789-123'],
    ['IT', 'NDG 0655204718 · Dossier titoli 347/5812264'],
    ['FR', 'Dossier litige 0825-447-188'],
    ['PT', 'N.º de cliente: 213 847 562'],
    ['DE', 'Mandatsreferenz: 0176-4583-9921'],
    ['AR', 'Medidor 0223-4718562'],
    ['TR', 'Sözleşme hesabı: 0212 456 78 02'],
    ['US', 'APN 415-398-27-46'],
    ['PT', '2024-06-18 02:00:09,002 AVISO chave 963 400 981 repetida'],
  ])('that is certainly of a thing speaks against grouped digits: %s: %s', (country, text) => {
    expect(numbersIn(country, text)).toEqual([]);
  });

  test.each<[CountryCode, string]>([
    ['BR', 'Prenotação 2133445566'],
    ['DE', 'Bescheid 0897766123'],
    ['FR', 'Cadastre 0561234567'],
    ['ES', 'Finca registral 912345611'],
    ['IT', 'operatore 3334455667'],
    ['FR', 'Mutuelle AMC: 0775678123'],
    ['ES', 'Bastidor VF1 612345678'],
    ['IT', 'Spedizione M1 347581249'],
    ['IT', 'Telaio 0112345678'],
  ])('right before bare digits speaks against them: %s: %s', (country, text) => {
    expect(numbersIn(country, text)).toEqual([]);
  });

  test.each<[CountryCode, string, string]>([
    ['US', 'PNR: +1 415 555 0132', '+1 415 555 0132'],
    ['US', 'Ann: 415-555-0132', '415-555-0132'],
    ['BR', 'Ana: 11 98765-4321', '11 98765-4321'],
    ['FR', 'Accord: 01 42 68 53 00', '01 42 68 53 00'],
    ['MX', 'oficina GDL 33 3615-7824', '33 3615-7824'],
  ])('leaves a number as its country writes it: %s: %s', (country, text, number) => {
    expect(numbersIn(country, text)).toEqual([number]);
  });

  test.each<[CountryCode, string, string]>([
    ['US', 'Ann Smith 4155550132', '4155550132'],
    ['ES', 'Línea fija afectada: 955913222', '955913222'],
    ['TR', 'Sabit hat: 02122933700', '02122933700'],
    ['FR', 'Port.: 0673612948', '0673612948'],
    ['BR', 'Ana Souza: 11987654321', '11987654321'],
    ['MX', 'Carlos 8112345678', '8112345678'],
    ['BR', 'técnico Beto 51998123307', '51998123307'],
    ['US', 'Ann at 4155550132', '4155550132'],
    ['AR', 'Taller 11 15-6543-2109', '11 15-6543-2109'],
    ['US', 'Acme Inc. 4155550132', '4155550132'],
    ['IN', 'Ravi Kumar 9876543210', '9876543210'],
    ['BR', 'fale com Neide 11987654321', '11987654321'],
    ['BR', 'fale com Neide no 11987654321', '11987654321'],
    ['US', 'Ann Smith: 4155550132', '4155550132'],
    ['BR', 'LIGAR NO 11987654321', '11987654321'],
    ['US', 'Phone 2: 4155550132', '4155550132'],
    ['US', 'text: 4155550132', '4155550132'],
    ['TR', 'İletişim: 05321234567', '05321234567'],
    ['US', 'DID: 4155550132', '4155550132'],
    ['US', 'Next of kin: 4155550132', '4155550132'],
    ['US', 'her number: 4155550132', '4155550132'],
    ['IN', 'Hub in-charge Suresh 9980123456', '9980123456'],
    ['TR', 'Hasan usta 0543 555 00 18', '0543 555 00 18'],
    ['BR', 'Rosa Cardoso 11 98765-4321', '11 98765-4321'],
    ['BR', 'caseiro 48 99912-3344', '48 99912-3344'],
    ['DE', 'Hausmeister: 01712345678', '01712345678'],
    ['ES', 'Facturación: 963 51 72 96', '963 51 72 96'],
    ['ES', 'Móvil n.º 612 345 678', '612 345 678'],
    ['DE', 'Polizei 030 466400', '030 466400'],
    ['FR', 'loc. M. Diarra 0607733041', '0607733041'],
    ['IN', 'Tech: Manjunath 7338504926 visited 12/10', '7338504926'],
    ['GB', 'Works at opticians next door 01698263720', '01698263720'],
    ['GB', 'M: 07700183926', '07700183926'],
    ['IT', 'Nota: richiamare il titolare Mosso al 3664170928', '3664170928'],
    ['AR', 'Tel. part.: 011 4583-2716', '011 4583-2716'],
    ['PT', 'Dublin: 00 353 87 613 9026', '00 353 87 613 9026'],
    ['AR', 'Guardia Sur: 0351 15 628-4917', '0351 15 628-4917'],
    ['GB', 'Claims line: 0345 607 2914', '0345 607 2914'],
    ['BR', 'Pedido atrasado 11 98765-4321', '11 98765-4321'],
    ['BR', 'Chamado aberto 11 98765-4321', '11 98765-4321'],
    ['US', 'Ticket escalated 415-555-0132', '415-555-0132'],
  ])('is no label as a name or as a word for calls: %s: %s', (country, text, number) => {
    expect(numbersIn(country, text)).toEqual([number]);
  });
});

describe('bare digits in a log', () => {
  test.each<[CountryCode, string]>([
    ['ES', '10:22:31 trabajo 934112233 terminado en 320 ms'],
    ['IT', '2026-11-25T10:22:31Z lavoro 0245678901 finito'],
    ['DE', '12.05.2026 09:14:02 info 0301234567 fertig'],
    ['US', 'GET /a 4155550132 200'],
    ['BR', 'POST /api/v1/os 11987654321'],
  ])('are an id behind a common noun or a path: %s: %s', (country, text) => {
    expect(numbersIn(country, text)).toEqual([]);
  });

  test.each<[CountryCode, string, string]>([
    ['ES', 'trabajo 934112233', '934112233'],
    ['ES', '10:22 trabajo 934112233', '934112233'],
    ['ES', '[10:22:31] Ana: trabajo +34 934 11 22 33', '+34 934 11 22 33'],
    ['US', '10:22:31 dst 4155550132 duration 12', '4155550132'],
    ['BR', 'João /Maria 11987654321', '11987654321'],
  ])('are a number where people write so: %s: %s', (country, text, number) => {
    expect(numbersIn(country, text)).toEqual([number]);
  });
});

describe('bare digits in a row of data', () => {
  test.each<[CountryCode, string]>([
    ['US', 'INSERT INTO t VALUES (4155550132)'],
    ['US', "INSERT INTO t VALUES ('Ann', 4155550132, 3)"],
    ['BR', "values ('x', NULL, '11987654321')"],
    ['US', '["Ann", 4155550132]'],
    ['US', '(12, 4155550132)'],
  ])('are a value: %s: %s', (country, text) => {
    expect(numbersIn(country, text)).toEqual([]);
  });

  test.each<[CountryCode, string, string]>([
    ['US', '(Ann Lee, 4155550132)', '4155550132'],
    ['US', "('Ann', 'phone', 4155550132)", '4155550132'],
    ['US', "('Ann', '415-555-0132')", '415-555-0132'],
  ])('are a number with words or grouping for it: %s: %s', (country, text, number) => {
    expect(numbersIn(country, text)).toEqual([number]);
  });
});

describe('a word of two meanings', () => {
  test.each<[CountryCode, string, string[]]>([
    ['TR', 'cep 532 123 45 67', ['532 123 45 67']],
    ['TR', 'Cep: 5321234567', ['5321234567']],
    ['TR', 'Cep: 05321234567, 05331234567', ['05321234567', '05331234567']],
    ['BR', 'CEP 88010-400', []],
    ['BR', 'CEP: 88010400', []],
  ])('is read by the length of what follows: %s: %s', (country, text, numbers) => {
    expect(numbersIn(country, text)).toEqual(numbers);
  });

  test('at the end of a path announces nothing', () => {
    expect(numbersIn('BR', 'GET /api/contacts 200 1532')).toEqual([]);
  });
});

test.each<[CountryCode, string, string[]]>([
  ['PT', 'NIF cliente 214 730 958', []],
  ['IT', 'Cod. cliente: 051 634 8873', []],
  ['ES', 'Nota: cliente 912 345 678', ['912 345 678']],
  ['ES', 'Nº cliente: 612 34 56 78', []],
  ['PL', 'Nr klienta: 601 234 567', []],
  ['IT', 'N. cliente 02 4567 8120', []],
  ['DE', 'Kunden-Nr. 0711 478230', []],
  ['BR', 'Cliente nº 11 98765-4321', []],
  ['IN', 'Customer no. 98450 12377', ['98450 12377']],
  ['BR', 'Estou no cliente (11) 98765-4321', ['(11) 98765-4321']],
  ['GB', 'Invoice for customer 020 7946 0018', ['020 7946 0018']],
])('a word for a client behind a thing or a number sign names a thing: %s: %s', (country, text, numbers) => {
  expect(numbersIn(country, text)).toEqual(numbers);
});

test.each<[CountryCode, string, string[]]>([
  ['ES', 'Localizador: 612 345 098', []],
  ['DE', 'Frachtbrief 0201 4455 667', []],
  ['IT', 'commessa 347 55 66 778', []],
  ['TR', 'iş emri 0216 555 00 17', []],
  ['PT', 'Encomenda: 912 330 045', []],
  ['PT', 'Encomendas: 912 330 045', ['912 330 045']],
  ['DE', 'Gib Bescheid: 0171 22 33 445', ['0171 22 33 445']],
])('a paper has an id also where it has the groups of a number: %s: %s', (country, text, numbers) => {
  expect(numbersIn(country, text)).toEqual(numbers);
});

test.each<[CountryCode, string, string[]]>([
  ['ES', 'Valor estimado 681.200.417 cts', []],
  ['US', 'ACH DEBIT GEICO PREM COLL 7733904471 -$142.18', []],
  ['US', 'Ann 773-390-4471 - $142.18', ['773-390-4471']],
  ['DE', 'Mandatsref. 030-2211847-01', []],
])('an amount or a reference is not a number: %s: %s', (country, text, numbers) => {
  expect(numbersIn(country, text)).toEqual(numbers);
});

test.each<[CountryCode, string, string[]]>([
  ['IT', 'Il codice offerta da riportare è 0610-24318', []],
  ['DE', 'Kassenzeichen Grundsteuer: 02 2144 8817 009', []],
  ['DE', 'Bestellung von Herrn Wolf 0171 22 33 445', ['0171 22 33 445']],
  ['DE', 'Kunde: 0171 22 33 445', ['0171 22 33 445']],
])('behind a word for another thing, groups are those of the country: %s: %s', (country, text, numbers) => {
  expect(numbersIn(country, text)).toEqual(numbers);
});

describe('a longer id', () => {
  test.each<[CountryCode, string]>([
    ['DE', '030/23125/1234'],
    ['DE', '11/96123456-7'],
    ['FR', '8R 01 99 00 12 34 5'],
    ['PT', '800 123 456 7'],
    ['ES', '912.345.678 reproducciones'],
    ['DE', 'Reifen 0603 / 419'],
    ['BR', 'GET /x 200 1532'],
    ['US', 'Mobile, AL 36602-1234'],
    ['US', 'Mobile AL 36602-1234'],
    ['US', 'Mobile, AL, 36602-1234'],
    ['US', 'Mobile, AL\n36602-1234'],
    ['DE', '030/23125/1234/5'],
    ['FR', '01 99 00 12 34 56'],
    ['ES', '912 345 678 90'],
    ['BR', '11/96123456-7'],
    ['FR', '01 18 84 42 07 71 5'],
  ])('is not cut into a number: %s: %s', (country, text) => {
    expect(numbersIn(country, text)).toEqual([]);
  });

  test.each<[CountryCode, string, string[]]>([
    ['PT', 'Tel. 800 123 456 7', ['800 123 456']],
    ['DE', 'Tel. 0603 / 419', ['0603 / 419']],
    ['DE', '0171/1234567', ['0171/1234567']],
    ['FR', '01 42 68 53 00 5 rue Cler', ['01 42 68 53 00']],
    ['ES', '912.345.678 (Ana)', ['912.345.678']],
    ['BR', 'Tel. SP 91234-5678', ['91234-5678']],
  ])('has these numbers where words or signs mark them: %s: %s', (country, text, numbers) => {
    expect(numbersIn(country, text)).toEqual(numbers);
  });
});

test.each<[CountryCode, string, string[]]>([
  ['AR', 'el de mi marido 11 6789-0123', ['11 6789-0123']],
  ['FR', 'mamie 0240718835 / allergie arachide', ['0240718835']],
  ['DE', 'Oma 01711234567', ['01711234567']],
  ['TR', 'annesi 05327410694', ['05327410694']],
  ['AR', 'Sosa, Diego: 11 4321-5678 o cel 11 15-6543-2109', ['11 4321-5678', '11 15-6543-2109']],
  ['BR', '(48)\n3322-4466', ['(48)\n3322-4466']],
  ['BR', 'Pedido (48)\n\n3322-4466', []],
  ['IT', 'chiamare al 3331234567 oppure allo 0612345678', ['3331234567', '0612345678']],
])(
  'a number without its trunk prefix is found where people write it so: %s: %s',
  (country, text, numbers) => {
    expect(numbersIn(country, text)).toEqual(numbers);
  },
);

test.each<[CountryCode, string, string[]]>([
  ['TR', 'Sevgi hn. ile görüşün: 312 441 88 27 dahili 104', ['312 441 88 27 dahili 104']],
  ['TR', 'Şube 0312 441 88 27 (dahili 104)', ['0312 441 88 27 (dahili 104)']],
  ['PL', 'Biuro 22 334 45 56 wew. 12', ['22 334 45 56 wew. 12']],
])('a number has the extension that is written behind it: %s: %s', (country, text, numbers) => {
  expect(numbersIn(country, text)).toEqual(numbers);
});

test.each<[CountryCode, string, string[]]>([
  ['DE', 'Teilenummer 0281 002 937', []],
  ['GB', 'Crate 0161 012 3456', []],
  ['DE', 'Tel. 0281 002 937', ['0281 002 937']],
  ['DE', 'Lager 0281 202 937', ['0281 202 937']],
  ['FR', '01 40 20 50 50', ['01 40 20 50 50']],
])('a zero behind an area code begins no number without a word for one: %s: %s', (country, text, numbers) => {
  expect(numbersIn(country, text)).toEqual(numbers);
});

test.each<[CountryCode, string, string[]]>([
  ['IT', 'Booking extranet Res 3950.617.722 PIN 9063', []],
  ['IT', 'CartaFreccia 0319 5577 06', []],
  ['IN', 'CIF 85 360 917 29', []],
  ['DE', 'Stapel 09-2024/0001', []],
  ['FR', 'Rep. 02 – Électrode – 0612 480 337 – 18,90 €', []],
  ['GB', 's/n FD 448-71820-3339', []],
  ['US', '7719-330284', []],
  ['BR', 'CAD/PRO 95.384.117-02', []],
  ['FR', 'service dialyse 0472 88 41 63', ['0472 88 41 63']],
  ['IT', 'cell. 3950.617.722', ['3950.617.722']],
  ['BR', 'Tia Neném 8599771-4402', ['8599771-4402']],
  ['BR', 'Ana 5511 98765-4321', ['5511 98765-4321']],
  ['AR', 'Vecina: Claudia, 3764 52-1183', ['3764 52-1183']],
  ['FR', 'Relais Purpan 0 970 750 316', ['0 970 750 316']],
  ['MX', 'Papá: Wilbert Uc – 9991 64 20 38', ['9991 64 20 38']],
  ['TR', 'Şube: 444 0 617', ['444 0 617']],
])(
  'digits in groups that no telephone has are none without a word for one: %s: %s',
  (country, text, found) => {
    expect(numbersIn(country, text)).toEqual(found);
  },
);

test.each<[CountryCode, string, string[]]>([
  ['AR', 'plazo fijo 30 d 11 4201-77', []],
  ['BR', 'custo fixo 34567890', []],
  ['BR', 'fixo 34567890', ['34567890']],
  ['AR', 'mi fijo 42017733', ['42017733']],
  ['IN', 'load 5.00 kW 1-ph, DTC 4636093', []],
  ['IN', 'ph 4636093', ['4636093']],
  ['AR', 'fijo 00583617', []],
])('a word for telephones that means another thing here is none: %s: %s', (country, text, found) => {
  expect(numbersIn(country, text)).toEqual(found);
});
