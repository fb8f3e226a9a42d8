import type { Product } from '../../test/product.ts'

/** Drops the line of this number and refuses reconnects; other lines stay. */
export const dropLine = ({ whatsapp }: Product, number: string) => {
  const device = whatsapp.phones.get(number)?.companions()[0]
  if (!device) throw new Error('nothing is linked')
  whatsapp.faults.refuseLogins = Array<string>(1000).fill('503')
  whatsapp.dropConnection(device)
}

export const letLineBack = ({ whatsapp }: Product) => {
  whatsapp.faults.refuseLogins = []
}
