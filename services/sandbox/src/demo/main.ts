/** `npm run demo`: fills an account of a running development Prosa with example conversations. */
import { parseArgs } from 'node:util'
import { ControlClient } from '../load/control-client.ts'
import { ProductClient } from '../load/product-client.ts'
import { DemoRefusal, runDemo } from './run-demo.ts'

const USAGE = `npm run demo -- [--url http://127.0.0.1:3000] [--phones http://127.0.0.1:3000/api/simulador]
                [--email you@example.com --password …]   without them a new account is made`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    phones: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

async function main() {
  const { url, phones = `${url}/api/simulador`, email, password } = values
  const product = new ProductClient(url)
  if (email && password) {
    await product.logIn(email, password)
  } else {
    const account = { email: `padaria-${Date.now()}@example.com`, password: 'pao-quentinho-de-manha' }
    await product.register({ firstName: 'Marina', lastName: 'Alves', ...account })
    console.log(`New account: ${account.email}, password ${account.password}`)
  }
  const progress = (sentence: string, done: number, total: number) => console.log(`${done}/${total}  ${sentence}`)
  await runDemo({ product, phones: new ControlClient(phones), now: Date.now(), progress })
  console.log(`Open ${url}/live-chat`)
}

if (values.help) console.log(USAGE)
else {
  await main().catch((error: unknown) => {
    console.error(error instanceof DemoRefusal ? error.message : error)
    process.exitCode = 1
  })
}
