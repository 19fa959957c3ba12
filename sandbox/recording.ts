/** A tiny recording: one second of a soft tone as 8 kHz mono PCM WAV. A test needs a file that really plays. */
const sampleRate = 8000;

export function recording(): Buffer {
  const samples = sampleRate;
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * 2, 40);
  for (let index = 0; index < samples; index += 1) {
    // The tone fades in and out, so that it does not click.
    const loudness = Math.sin((Math.PI * index) / samples) * 6000;
    file.writeInt16LE(
      Math.round(Math.sin((2 * Math.PI * 440 * index) / sampleRate) * loudness),
      44 + index * 2,
    );
  }
  return file;
}
