import { type TermsVersion, termsWritten } from '@prosa/contracts/values/terms'
import { z } from 'zod'
import { orEmpty } from './environment-text.ts'

/** Who sells, and answers for personal data: on receipts, in terms of use and privacy policy, which say what is missing. */
export const sellerEnvironment = {
  PROSA_SELLER_NAME: orEmpty(z.string().trim().max(200)),
  /** CNPJ or CPF. */
  PROSA_SELLER_DOCUMENT: orEmpty(z.string().trim().max(40)),
  PROSA_SELLER_ADDRESS: orEmpty(z.string().trim().max(300)),
  PROSA_SELLER_EMAIL: orEmpty(z.email()),
  /** Name of the 'encarregado' (LGPD, art. 41). */
  PROSA_PRIVACY_OFFICER: orEmpty(z.string().trim().max(200)),
  /** Default: the seller's. */
  PROSA_PRIVACY_EMAIL: orEmpty(z.email()),
  /** Where the servers are, and whose, e.g. `São Paulo, Brasil (Provedor Exemplo)`. */
  PROSA_DATA_LOCATION: orEmpty(z.string().trim().max(200)),
  /** For how many days backups are kept. */
  PROSA_BACKUP_DAYS: orEmpty(z.coerce.number().int().min(1).max(3650)),
  /** Day of a change that users have to accept, where it is later than that of the texts, e.g. of another seller. */
  PROSA_TERMS_SINCE: orEmpty(z.iso.date({ error: 'is no day such as 2026-12-31' })),
}

const environment = z.object(sellerEnvironment)

/** Undefined: not filled in. */
export interface Seller {
  name: string | undefined
  document: string | undefined
  address: string | undefined
  email: string | undefined
}

export interface PrivacyContact {
  officer: string | undefined
  email: string | undefined
  dataLocation: string | undefined
  backupDays: number | undefined
}

const laterOf = (day: TermsVersion, other = day): TermsVersion => (other > day ? other : day)

export const sellerOf = (
  env: z.infer<typeof environment>,
): { seller: Seller; privacy: PrivacyContact; termsVersion: TermsVersion } => ({
  seller: {
    name: env.PROSA_SELLER_NAME || undefined,
    document: env.PROSA_SELLER_DOCUMENT || undefined,
    address: env.PROSA_SELLER_ADDRESS || undefined,
    email: env.PROSA_SELLER_EMAIL,
  },
  privacy: {
    officer: env.PROSA_PRIVACY_OFFICER || undefined,
    email: env.PROSA_PRIVACY_EMAIL ?? env.PROSA_SELLER_EMAIL,
    dataLocation: env.PROSA_DATA_LOCATION || undefined,
    backupDays: env.PROSA_BACKUP_DAYS,
  },
  termsVersion: laterOf(termsWritten, env.PROSA_TERMS_SINCE),
})
