/** Mails as customers write them, plain or HTML, with quotes and signatures. They contain the numbers of `people`. */
import { people } from './people.ts';

export interface Mail {
  subject: string;
  /** `text/plain` or `text/html`. */
  type: 'plain' | 'html';
  body: string;
  /** Numbers in it, as they are written. */
  wanted: readonly string[];
}

const [marina, joao, anke, oliver, lucia] = people;

export const mails: readonly Mail[] = [
  {
    subject: `Pedido ${marina.order}`,
    type: 'plain',
    body: `Bom dia,

o pedido ${marina.order} do CNPJ ${marina.taxId} ainda não chegou.
Pode me ligar? ${marina.phone}, ou no celular ${joao.phone}.

Nota fiscal 475594386, rastreio BR123456785BR, de 23/11/2026, R$ 1.234,56.

> Em ${marina.since}, ${oliver.name} escreveu:
> Please call me on ${oliver.phone} about invoice 2026-000417.

-- 
${marina.name}
Porto Azul Logística Ltda. | CEP 01310-100
`,
    wanted: [marina.phone, joao.phone, oliver.phone],
  },
  {
    subject: `Rückruf zu Auftrag ${anke.order}`,
    type: 'html',
    body: `<html><body><p>Guten Tag,</p><p>bitte rufen Sie zurück, Kd-Nr. 1234567890, USt-IdNr. ${anke.taxId}.</p>
<table><tr><th>Auftrag</th><th>Telefon</th><th>Datum</th></tr>
<tr><td>${anke.order}</td><td>${anke.phone}</td><td>${anke.since}</td></tr>
<tr><td>${lucia.order}</td><td>${lucia.phone}</td><td>${lucia.since}</td></tr></table>
<blockquote><p>El CUIT es ${lucia.taxId}. Mi teléfono: <b>${lucia.phone}</b></p></blockquote>
<div>--<br><b>${anke.name}</b><br>Tel.: <span>${anke.phone}</span></div></body></html>`,
    wanted: [anke.phone, lucia.phone],
  },
];

/** The mail as a server keeps it. */
export const asMessage = ({ subject, type, body }: Mail, index: number): string =>
  [
    `From: ${marina.name} <${marina.mail}>`,
    'To: ana@crm.example',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: Mon, 0${index + 1} Dec 2025 09:15:00 +0000`,
    `Message-ID: <${index}@porto-azul.example>`,
    'MIME-Version: 1.0',
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(body).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n');
