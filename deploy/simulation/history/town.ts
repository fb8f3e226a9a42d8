import type { Cluster } from '../cluster.ts'
import { type Random, seededRandom, wholeBetween } from '../platform/random.ts'
import { randomUUID } from '../platform/random-ids.ts'
import { lineOf } from '../whatsapp-network.ts'
import { Browser } from './browser.ts'

/** Somebody who writes to a business, under a number and under WhatsApp's own name for them. */
export interface Customer {
  name: string
  phone: string
  lid: string
  /** By which of the two WhatsApp calls them until it reports both. */
  known: ('phone' | 'lid')[]
}

/** An account with one number. */
export interface Shop {
  id: string
  email: string
  password: string
  browser: Browser
  connectionId: string
  customers: Customer[]
  isErased: boolean
  /** Emails that the account had, with words that stand nowhere else. */
  words: string[]
}

export interface Written {
  shop: Shop
  customer: Customer
  messageId: string
  jids: string[]
  text: string
}

export interface Sale {
  orderId: string
  email: string
  subscriptionId: string
  isRefunded: boolean
}

/** Everybody in a history, and what they know that they did: what must have become of it is checked at its end. */
export class Town {
  readonly cluster: Cluster
  readonly random: Random
  readonly shops: Shop[] = []
  readonly written: Written[] = []
  /** Ids of messages of attendants that were taken. */
  readonly accepted: { shop: Shop; messageId: string; text: string }[] = []
  readonly sales: Sale[] = []
  readonly addresses = ['ana', 'bia', 'caio'].map((name) => `${name}@buyers.example`)
  readonly admin: Browser
  #texts = 0

  constructor(cluster: Cluster, seed: number) {
    this.cluster = cluster
    this.random = seededRandom(seed * 31 + 7)
    this.admin = new Browser(cluster)
  }

  /** Words that nobody else says, by which they are found wherever they are left. */
  word(): string {
    return `zq${this.#texts++}x${wholeBetween(this.random, 1000, 9999)}`
  }

  async openShop(email: string): Promise<Shop> {
    const browser = new Browser(this.cluster)
    const password = `senha ${this.word()}`
    const firstName = `Marina ${this.word()}`
    const { id } = await browser.must<{ id: string }>('POST', '/api/auth/register', {
      ...{ firstName, lastName: 'Alves', email, password },
    })
    const connectionId = randomUUID()
    const number = this.shops.length + 1
    await this.cluster.persist((process) => lineOf(process.ports, id, connectionId).link(`551133330${number}00`))
    const customers = [1, 2, 3].map((each): Customer => {
      const digits = `${number}${each}`
      return { name: `Zé ${this.word()}`, phone: `5511988776${digits}5`, lid: `77${digits}12345`, known: [] }
    })
    const shop = {
      id,
      email,
      password,
      browser,
      connectionId,
      customers,
      isErased: false,
      words: [firstName.split(' ')[1] ?? ''],
    }
    this.shops.push(shop)
    return shop
  }
}
