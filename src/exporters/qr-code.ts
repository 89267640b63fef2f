import QRCode from 'qrcode';

/** Readers need four modules of white around the code (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/** A square QR code of a text, black on white, that stands 15 % of damage; `sizePixels` is the length of a side, margin included. */
export async function createQrCode(text: string, format: 'svg' | 'png', sizePixels: number): Promise<Buffer> {
  const options = { errorCorrectionLevel: 'M', margin: QUIET_MODULES, width: sizePixels } as const;
  return format === 'png'
    ? QRCode.toBuffer(text, { ...options, type: 'png' })
    : Buffer.from(await QRCode.toString(text, { ...options, type: 'svg' }));
}
