/** The beginnings of sound and video files, by which their types are recognized; they play nothing. */

const box = (type: string, content: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), content]);
};
const brand = (name: string) =>
  Buffer.concat([
    box(
      'ftyp',
      Buffer.concat([Buffer.from(name.padEnd(4), 'latin1'), Buffer.alloc(4), Buffer.from('isom', 'latin1')]),
    ),
    box('mdat', Buffer.alloc(400, 7)),
  ]);

export const MP4 = brand('isom');
export const M4A = brand('M4A');
export const QUICKTIME = brand('qt');
/** ID3 tag without frames, then the header of a frame. */
export const MP3 = Buffer.concat([
  Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 0]),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(413),
]);
export const WEBM = Buffer.concat([
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84]),
  Buffer.from('webm', 'latin1'),
  Buffer.alloc(200),
]);
export const OGG = Buffer.concat([
  Buffer.from('OggS', 'latin1'),
  Buffer.from([0, 2]),
  Buffer.alloc(20),
  Buffer.from([1, 30]),
  Buffer.from([1]),
  Buffer.from('vorbis', 'latin1'),
  Buffer.alloc(60),
]);
export const VTT = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nA new cup\n');
