export const usage = `npm run replay -- --to DESTINO [opções]      (ou: node replay.mjs --to DESTINO [opções])

Lê os eventos publicados de um Prosa, em ordem, do começo ou de qualquer momento, e os escreve.
A chave é criada no Prosa (Configurações → Integrações, ou a página Dados) e vem de PROSA_KEY ou --key-file.

  --url ENDEREÇO       do Prosa, como https://atendimento.example.com (ou PROSA_URL)
  --key-file ARQUIVO   contém a chave (ou PROSA_KEY)

  --to DESTINO         eventos.ndjson    um evento (CloudEvents, JSON) por linha
                       eventos.csv       uma linha por evento; com um só --type, uma coluna por campo
                       eventos.parquet   o mesmo, para DuckDB e outros
                       kafka:TOPICO      num Kafka seu, criado se faltar
                       -                 saída padrão, NDJSON
  --overwrite          substitui um arquivo que já existe
  --brokers LISTA      kafka-1:9092,kafka-2:9092 (ou KAFKA_BROKERS); TLS e senha: KAFKA_SSL…, KAFKA_SASL…

  --service NOME       só deste serviço, como contacts; pode repetir
  --type TIPO          só deste tipo, como prosa.contacts.message-received.v1; pode repetir
  --tenant ID          só deste assinante (pseudônimo, como nos eventos)
  --from QUANDO        a partir deste instante, ou depois desta posição ("position" de um evento)
  --until QUANDO       antes deste instante, ou até esta posição
                       instantes: 2026-11-21, 2026-11-21T14:30, 2026-11-21T14:30:00-03:00; sem fuso, UTC
  --follow             no fim, espera por novos eventos
  --speed 60x          no ritmo em que aconteceram, 60 vezes mais rápido; sem isso, o mais rápido possível

  --quiet              sem barra de progresso
  --help

Ctrl+C para num ponto certo. O mesmo comando, repetido, continua dali: nenhum evento falta ou vem duas vezes.
O lugar fica ao lado do arquivo (.resume), e no próprio tópico do Kafka; na saída padrão ele é dito no fim.

Fim: 0 completo, 1 falhou (o que foi escrito vale, repita para continuar), 2 comando errado, 130 interrompido.
`
