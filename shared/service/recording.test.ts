import { expect, test } from 'vitest';
import { recordingByFileName } from './recording.ts';

const recordingUrl = 'https://api.example.com/audio?tenant=7&id=7f2b';

test('gives a v1 recording a second address by its file name without extension', () => {
  expect(recordingByFileName({ recordingUrl, audioFile: '20260504-7f2b.mp3' })).toBe(
    'https://api.example.com/audio?tenant=7&id=20260504-7f2b',
  );
});

test.each([
  { recordingUrl },
  { recordingUrl, audioFile: '7f2b.mp3' },
  { recordingUrl: 'https://api.example.com/audio/7f2b.mp3', audioFile: '7f2b.mp3' },
  { audioFile: '7f2b.mp3' },
])('gives no second address for %o', (call) => {
  expect(recordingByFileName(call)).toBeUndefined();
});
