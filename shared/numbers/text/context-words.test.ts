import type { CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { numbersIn } from '../../../testing/numbers/numbers-in.ts';

describe('a word for telephones before bare digits', () => {
  test.each<[CountryCode, string, string]>([
    ['VN', 'Địa chỉ: Huế\nSĐT: 0913246580', '0913246580'],
    ['VN', 'Số điện thoại: 0702946135', '0702946135'],
    ['VN', 'Số điện thoại: 086 947 3150', '086 947 3150'],
    ['VN', 'ĐT: 0913246580', '0913246580'],
    ['VN', 'Zalo: 0913246580', '0913246580'],
    ['ID', 'Telp: 0215263748', '0215263748'],
    ['ID', 'Telepon: 0215263748', '0215263748'],
    ['ID', 'Hubungi 081264738291', '081264738291'],
    ['SA', 'الجوال: 0561328477', '0561328477'],
    ['SA', 'موبايل: 0561328477', '0561328477'],
    ['EG', 'تليفون: 01012837465', '01012837465'],
    ['SA', 'واتساب: 0561328477', '0561328477'],
    ['IR', 'موبایل: 09121837465', '09121837465'],
    ['IR', 'شماره تماس: 09121837465', '09121837465'],
    ['IL', 'וואטסאפ: 0509283746', '0509283746'],
    ['IL', 'פלאפון: 0509283746', '0509283746'],
    ['FI', 'Matkapuhelin: 0401928374', '0401928374'],
    ['SE', 'Växel: 0812837465', '0812837465'],
  ])('%s: %s', (country, text, number) => expect(numbersIn(country, text)).toEqual([number]));
});

describe('HP before an Indonesian mobile number', () => {
  test.each<[CountryCode, string, string[]]>([
    ['ID', 'NIP : 418273\nNo. HP : 08126473829', ['08126473829']],
    ['ID', 'Kota : Solo\nNomor HP: 081264738291', ['081264738291']],
    ['ID', 'Jl. Anggrek - Medan. HP: +62 812-6473-8291', ['+62 812-6473-8291']],
    ['ID', 'HP: 1234567', []],
    ['US', 'HP: 4155550147', []],
    ['GB', 'Max. power HP 0300123', []],
  ])('%s: %s', (country, text, numbers) => expect(numbersIn(country, text)).toEqual(numbers));
});

describe('the sign of a telephone', () => {
  test.each<[CountryCode, string, string[]]>([
    ['BR', 'Ana 📞 34567890', ['34567890']],
    ['ID', 'Jawa Barat 46396\n☎ 081-264-738291', ['081-264-738291']],
    ['BR', '☎️ 34567890', ['34567890']],
    ['BR', '📱: 34567890', ['34567890']],
    ['BR', '📦 34567890', []],
    ['BR', '📞 Pedido 34567890', []],
  ])('%s: %s', (country, text, numbers) => expect(numbersIn(country, text)).toEqual(numbers));
});

describe('a word for telephones in Chinese, of the number before', () => {
  test.each<[CountryCode, string, string[]]>([
    ['CN', '手机:13718264935, QQ 28174936', ['13718264935']],
    ['CN', '电话 13718264935, QQ: 28174936', ['13718264935']],
    ['CN', '电话 13718264935, 010-62837465', ['13718264935', '010-62837465']],
  ])('%s: %s', (country, text, numbers) => expect(numbersIn(country, text)).toEqual(numbers));
});
