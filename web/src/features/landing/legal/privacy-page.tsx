import { privacyPath, termsPath } from '../../../lib/paths.ts'
import { Given, type LegalFacts, LegalPage, Part, Seller } from './legal-page.tsx'

const Purposes = () => (
  <Part title="3. Que dados, e para quê">
    <ul>
      <li>
        <strong>Conta:</strong> nome, e-mail, foto se você puser uma, e um resumo da senha, do qual ela não pode ser
        lida. Para você entrar e para falarmos com você (execução do contrato; LGPD, art. 7º, V).
      </li>
      <li>
        <strong>Negócio:</strong> o que você escreve em Configurações, como nome, telefone, endereço e horários. Para os
        seus textos e respostas (execução do contrato).
      </li>
      <li>
        <strong>Compras:</strong> o que a Kiwify informa de um pagamento: nome, e-mail, CPF ou CNPJ, telefone, valor e
        datas. Nunca o número do cartão. Para dar o acesso comprado, emitir recibos e cumprir a lei (art. 7º, II e V).
      </li>
      <li>
        <strong>Conversas:</strong> números, nomes, mensagens, arquivos, etiquetas e notas dos contatos da sua conta.
        São tratados em seu nome, para o atendimento que você faz.
      </li>
      <li>
        <strong>Histórico de uso:</strong> o que foi feito na conta e quando. Para provar o que aconteceu, corrigir
        falhas e, sem nomes, telefones nem textos, contar como o Prosa é usado (legítimo interesse, art. 7º, IX).
      </li>
      <li>
        <strong>Suporte:</strong> o que você escreve a nós, para responder.
      </li>
      <li>
        <strong>Endereço IP:</strong> usado na hora para limitar tentativas de invasão (legítimo interesse).
      </li>
    </ul>
    <p>Não há publicidade, venda de dados nem decisão automática sobre você.</p>
  </Part>
)

const Sharing = ({ dataLocation }: { dataLocation: string | undefined }) => (
  <Part title="4. Com quem, e onde">
    <ul>
      <li>WhatsApp (Meta): as mensagens que você envia e recebe passam por ele.</li>
      <li>Kiwify: recebe seu pagamento e nos informa.</li>
      <li>O servidor de e-mail que envia links e avisos da conta.</li>
      <li>Quem você mesmo escolher: programas com uma chave sua e endereços que você cadastrar em Integrações.</li>
      <li>Autoridades, quando a lei obriga.</li>
    </ul>
    <p>
      Onde os servidores estão, e de quem são: <Given value={dataLocation} />.
    </p>
  </Part>
)

const backups = (days: number | undefined) =>
  days === undefined ? (
    <>
      Cópias de segurança: <em>prazo ainda não informado</em>. Ao restaurar uma, o que foi apagado é apagado de novo.
    </>
  ) : (
    `Cópias de segurança: ${days} dias. Ao restaurar uma, o que foi apagado é apagado de novo.`
  )

const Times = ({ deliveryDays, backupDays }: { deliveryDays: number; backupDays: number | undefined }) => (
  <Part title="5. Por quanto tempo">
    <ul>
      <li>Conta, negócio e conversas: enquanto a conta existir, ou até você apagar um contato.</li>
      <li>Avisos de pagamento, como a Kiwify os enviou: {deliveryDays} dias.</li>
      <li>Entrada em um navegador: até 7 dias sem uso, 30 no máximo.</li>
      <li>Endereços IP de avisos de pagamento que recusamos: 30 dias.</li>
      <li>{backups(backupDays)}</li>
    </ul>
    <p>
      Depois de excluir a conta fica só o registro de que ela existiu e das datas e valores do que aconteceu nela, sem
      nome, telefone, e-mail ou mensagem.
    </p>
  </Part>
)

const Rights = ({ email }: { email: string | undefined }) => (
  <Part title="8. Seus direitos">
    <p>
      A LGPD (art. 18) dá a você o direito de confirmar, ver, corrigir, levar e apagar seus dados, saber com quem foram
      compartilhados, opor-se a um uso e reclamar à Autoridade Nacional de Proteção de Dados (ANPD). No próprio Prosa:
    </p>
    <ul>
      <li>ver e corrigir: Perfil e Configurações;</li>
      <li>levar: Perfil, Exportar meus dados;</li>
      <li>apagar: Perfil, Excluir minha conta;</li>
      <li>saber quem leu ou mudou algo: Configurações, Histórico.</li>
    </ul>
    <p>
      Para o resto, escreva a {email ? <a href={`mailto:${email}`}>{email}</a> : <Given value={undefined} />}. Não custa
      nada.
    </p>
    <p>
      <strong>Você conversa com uma empresa que usa o Prosa?</strong> Ela decide sobre os dados da conversa. Peça a ela:
      ela pode entregar uma cópia e apagar tudo o que é seu no Prosa.
    </p>
  </Part>
)

const PrivacyPage = ({ facts: { version, seller, privacy, deliveryDays } }: { facts: LegalFacts }) => (
  <LegalPage title="Política de privacidade" version={version} other={{ path: termsPath, title: 'Termos de uso' }}>
    <p>O que o Prosa faz com dados pessoais, segundo a Lei Geral de Proteção de Dados (LGPD, Lei 13.709/2018).</p>
    <Part title="1. Quem responde">
      <Seller of={seller} />
      <dl>
        <div>
          <dt>Encarregado</dt>
          <dd>
            <Given value={privacy.officer} />
          </dd>
        </div>
        <div>
          <dt>Contato</dt>
          <dd>
            {privacy.email ? <a href={`mailto:${privacy.email}`}>{privacy.email}</a> : <Given value={undefined} />}
          </dd>
        </div>
      </dl>
    </Part>
    <Part title="2. Dois papéis">
      <p>
        Sobre os dados da sua conta e das suas compras, decidimos nós: somos o controlador. Sobre as conversas com os
        seus clientes, decide você: você é o controlador e nós, o operador, que só os trata para o seu atendimento.
      </p>
    </Part>
    <Purposes />
    <Sharing dataLocation={privacy.dataLocation} />
    <Times deliveryDays={deliveryDays} backupDays={privacy.backupDays} />
    <Part title="6. Segurança">
      <p>
        Nomes, números, mensagens e e-mails são cifrados no registro de acontecimentos, com uma chave para cada pessoa;
        apagar alguém destrói a chave dela. Quem administra o Prosa diz por que antes de ver dados pessoais de uma
        conta, e isso aparece no histórico dela.
      </p>
    </Part>
    <Part title="7. Cookies">
      <p>
        Um só, que mantém você na conta. O navegador guarda também o tema e o que você escreveu e ainda não enviou. Nada
        segue você em outros sites.
      </p>
    </Part>
    <Rights email={privacy.email} />
    <Part title="9. Mudanças">
      <p>Uma versão nova tem outra data e é mostrada quando você entra.</p>
    </Part>
  </LegalPage>
)

export const privacyDocument = { path: privacyPath, title: 'Política de privacidade · Prosa', Page: PrivacyPage }
