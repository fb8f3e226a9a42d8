import type { Cluster } from '../cluster.ts'
import { type Random, seededRandom, wholeBetween } from '../platform/random.ts'
import { randomUUID } from '../platform/random-ids.ts'
import { lineOf } from '../whatsapp-network.ts'
import { Browser } from './browser.ts'

/** Known by a number and by WhatsApp's own id. */
export interface Customer {
  name: string
  phone: string
  lid: string
  known: ('phone' | 'lid')[]
}

export interface Shop {
  id: string
  email: string
  password: string
  browser: Browser
  connectionId: string
  customers: Customer[]
  isErased: boolean
  /** Unique words in the account's former addresses. */
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

/** Everybody in a history, and what the checks expect of their actions. */
export class Town {
  readonly cluster: Cluster
  readonly random: Random
  readonly shops: Shop[] = []
  readonly written: Written[] = []
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

  /** A unique word, to be found wherever it is left. */
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
