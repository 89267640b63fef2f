import QRCode from 'qrcode';

/** Readers need four modules of white around the code (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** Creates a square QR code, black on white, that is readable with up to 15 % damage. `sizePixels` is the length of a side with its margin. */
export async function createQrCode(text: string, format: 'svg' | 'png', sizePixels: number): Promise<Buffer> {
  const options = { errorCorrectionLevel: 'M', margin: QUIET_MODULES, width: sizePixels } as const;
  return format === 'png'
    ? QRCode.toBuffer(text, { ...options, type: 'png' })
    : Buffer.from(await QRCode.toString(text, { ...options, type: 'svg' }));
}
