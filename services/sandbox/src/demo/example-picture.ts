import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 320
const HEIGHT = 240

type Colour = readonly [red: number, green: number, blue: number]

interface Ellipse {
  x: number
  y: number
  width: number
  height: number
  colour: Colour
}

interface Scene {
  sky: Colour
  table: Colour
  shapes: Ellipse[]
}

const loaf = (x: number, y: number, size: number): Ellipse[] => [
  { x: x + 4, y: y + size * 0.3, width: size * 1.7, height: size * 0.35, colour: [70, 42, 24] },
  { x, y, width: size * 1.6, height: size * 0.62, colour: [176, 108, 48] },
  { x: x - size * 0.1, y: y - size * 0.12, width: size * 1.4, height: size * 0.42, colour: [214, 148, 76] },
  ...[-0.7, 0, 0.7].map((shift) => ({
    x: x + shift * size,
    y: y - size * 0.1,
    width: size * 0.14,
    height: size * 0.42,
    colour: [244, 206, 142] as const,
  })),
]

const cake = (x: number, y: number, colour: Colour): Ellipse[] => [
  { x, y: y + 40, width: 96, height: 26, colour: [236, 236, 232] },
  ...[28, 14, 0].map((down, layer) => ({
    x,
    y: y + down,
    width: 78,
    height: 30,
    colour: layer === 1 ? ([252, 240, 214] as const) : colour,
  })),
  ...[-45, -15, 15, 45].map((shift) => ({
    x: x + shift,
    y: y - 18,
    width: 10,
    height: 10,
    colour: [198, 34, 44] as const,
  })),
]

const SCENES: Scene[] = [
  { sky: [247, 232, 208], table: [150, 98, 58], shapes: [...loaf(105, 150, 50), ...loaf(220, 175, 46)] },
  { sky: [222, 233, 238], table: [120, 78, 60], shapes: cake(160, 120, [122, 70, 44]) },
  { sky: [250, 222, 226], table: [168, 126, 96], shapes: cake(160, 120, [236, 150, 170]) },
  {
    sky: [224, 238, 220],
    table: [136, 92, 56],
    shapes: [...loaf(80, 160, 34), ...loaf(165, 185, 34), ...loaf(245, 160, 34)],
  },
]

const isIn = ({ x, y, width, height }: Ellipse, px: number, py: number) =>
  ((px - x) / width) ** 2 + ((py - y) / height) ** 2 <= 1

function colourAt({ sky, table, shapes }: Scene, x: number, y: number): Colour {
  const shape = shapes.findLast((candidate) => isIn(candidate, x, y))
  const light = shape ? 1 - Math.max(0, (y - shape.y) / (3 * shape.height)) : 1 - y / (4 * HEIGHT)
  const [red, green, blue] = shape ? shape.colour : y > HEIGHT * 0.58 ? table : sky
  return [red * light, green * light, blue * light]
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export const examplePictureSize = { width: WIDTH, height: HEIGHT }

/** PNG, 320 by 240. */
export function examplePicture(which: number): Buffer {
  const scene = SCENES[which % SCENES.length]
  if (!scene) throw new Error('there is no picture')
  const rows = Buffer.alloc(HEIGHT * (1 + 3 * WIDTH))
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    rows[at++] = 0 // no filter
    for (let x = 0; x < WIDTH; x++) for (const part of colourAt(scene, x, y)) rows[at++] = Math.round(part)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8) // 8 bits a channel, RGB
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
