import { privacyPath, termsPath } from '../../../lib/paths.ts'
import { type LegalFacts, LegalPage, Part, Seller } from './legal-page.tsx'

const afterGrace: Record<Exclude<LegalFacts['afterEnd'], 'unchanged'>, string> = {
  free_plan: 'depois vale o plano gratuito, com os limites que a página do seu plano mostra.',
  ended: 'depois nada mais é enviado até você escolher um plano. O que seus clientes escrevem continua chegando.',
}

const Paying = ({ afterEnd }: Pick<LegalFacts, 'afterEnd'>) => (
  <Part title="4. Teste, planos e pagamento">
    {afterEnd === 'unchanged' ? (
      <p>Neste endereço o uso do Prosa não é cobrado: não há plano que termine.</p>
    ) : (
      <>
        <p>
          Quem abre uma conta usa o Prosa por 10 dias sem pagar e sem cartão, uma vez por e-mail. Preço, duração e
          limites de cada plano estão na página inicial e em Faturamento.
        </p>
        <p>
          A compra, a cobrança e a renovação são feitas pela Kiwify, com o preço e a forma de pagamento que ela mostra.
          Para parar de pagar, cancele a assinatura na Kiwify: o acesso já pago vale até o fim do período.
        </p>
        <p>
          Quando o período termina, há três dias de carência com os limites do plano que terminou;{' '}
          {afterGrace[afterEnd]}
        </p>
        <p>
          Quem compra como consumidor pode desistir em até 7 dias da compra e receber o dinheiro de volta (Código de
          Defesa do Consumidor, art. 49).
        </p>
      </>
    )}
  </Part>
)

const YourPart = () => (
  <Part title="5. O que é seu dever">
    <ul>
      <li>
        Escrever só a quem espera ouvir você, e parar quando a pessoa pedir. Mensagens em massa não pedidas são
        proibidas.
      </li>
      <li>Cumprir as regras do WhatsApp e a lei, também nos textos dos seus fluxos.</li>
      <li>Guardar sua senha, usar um e-mail que é seu e não tentar ler dados de outras contas.</li>
      <li>Responder às pessoas sobre os dados delas: sobre seus clientes, quem decide é você.</li>
    </ul>
  </Part>
)

const TermsPage = ({ facts }: { facts: LegalFacts }) => (
  <LegalPage
    title="Termos de uso"
    version={facts.version}
    other={{ path: privacyPath, title: 'Política de privacidade' }}
  >
    <p>Estes são os termos entre você, que usa o Prosa para atender seus clientes, e quem o oferece neste endereço.</p>
    <Part title="1. Quem oferece">
      <Seller of={facts.seller} />
    </Part>
    <Part title="2. O que o Prosa faz">
      <p>
        O Prosa reúne conversas de WhatsApp do seu negócio, guarda o histórico, envia suas respostas e executa os fluxos
        que você desenha. Ele se liga ao seu número como um aparelho conectado; não pertence ao WhatsApp nem à Meta, e
        não é oferecido por eles.
      </p>
      <p>
        O WhatsApp pode limitar ou bloquear um número, ou mudar como funciona. Isso não depende do Prosa, e o Prosa não
        pode desfazer.
      </p>
    </Part>
    <Part title="3. Sua conta">
      <p>
        A conta é de quem a abre, em nome próprio ou do negócio. Tudo o que acontece nela fica em um histórico que você
        lê em Configurações, inclusive o que a equipe do Prosa viu ou mudou, e por quê.
      </p>
    </Part>
    <Paying afterEnd={facts.afterEnd} />
    <YourPart />
    <Part title="6. Dados pessoais">
      <p>
        O que é feito com os dados está na <a href={privacyPath}>política de privacidade</a>, que faz parte destes
        termos.
      </p>
    </Part>
    <Part title="7. Funcionamento e falhas">
      <p>
        O Prosa grava cada mensagem antes de mostrá-la, e mostra o estado de cada envio. Mesmo assim pode parar, por
        manutenção ou falha, nossa ou de terceiros: não prometemos funcionamento sem interrupção. Nada nestes termos
        diminui direitos que a lei dá a consumidores.
      </p>
    </Part>
    <Part title="8. Encerrar">
      <p>
        Você pode exportar seus dados e excluir a conta quando quiser, em Perfil. Uma conta que descumpre estes termos
        pode ser encerrada; antes disso você é avisado, salvo quando a lei ou a segurança de outros não permitir
        esperar.
      </p>
    </Part>
    <Part title="9. Mudanças">
      <p>
        Uma versão nova tem outra data e é mostrada quando você entra. O histórico da sua conta guarda qual versão você
        aceitou, e quando.
      </p>
    </Part>
    <Part title="10. Lei">
      <p>Vale a lei brasileira. Consumidores podem ir à justiça onde moram.</p>
    </Part>
  </LegalPage>
)

export const termsDocument = { path: termsPath, title: 'Termos de uso · Prosa', Page: TermsPage }
