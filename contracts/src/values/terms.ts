import { z } from 'zod'

/** Day on which the texts of `/terms` and `/privacy` last changed in what they promise. Later days are later versions. */
export const termsWritten = '2026-11-27'

/** The day of a version; its order is that of text. */
export const termsVersion = z.iso.date({ error: 'Informe a versão dos termos, por exemplo 2026-11-27.' })

export type TermsVersion = z.infer<typeof termsVersion>
