import { useSearchParams } from 'react-router-dom'
import { addressOfQuestion, type Question, questionIn } from '../question.ts'

/** The question in the page's address; each change replaces it. */
export const useQuestion = () => {
  const [address, setAddress] = useSearchParams()
  const question = questionIn(address)
  const change = (part: Partial<Question>) => setAddress(addressOfQuestion({ ...question, ...part }), { replace: true })
  return { question, change }
}
