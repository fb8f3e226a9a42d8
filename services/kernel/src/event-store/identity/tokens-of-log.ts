import type { SecretBox } from '../../privacy/secret-box.ts'
import type { LogIdentity } from './recognize-log.ts'

/**
 * Tokens hold positions: those of a log from which this one was copied are unreadable here. A log that is no copy has tokens without its
 * id, as earlier releases made them.
 */
export const tokensOfLog = (box: SecretBox, { logId, copyOf }: LogIdentity): SecretBox => {
  if (copyOf === undefined) return box
  const contextOf = (context: string) => `${context} of ${logId}`
  return {
    ...box,
    token: (plain, context) => box.token(plain, contextOf(context)),
    readToken: (token, context) => box.readToken(token, contextOf(context)),
    digitTokens: (texts, context) => box.digitTokens(texts, contextOf(context)),
    readDigitToken: (token, context) => box.readDigitToken(token, contextOf(context)),
  }
}
