/** Power of one frequency in 16-bit mono at 8 kHz (Goertzel). */
export function tonePower(wav: Buffer, hz: number): number {
  const samples = new Int16Array(
    wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length - ((wav.length - 44) % 2)),
  );
  const factor = 2 * Math.cos((2 * Math.PI * hz) / 8000);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + factor * last - before];
  return (before * before + last * last - factor * before * last) / samples.length ** 2;
}
