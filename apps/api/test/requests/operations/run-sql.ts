// What the guide uses of psql: `psql URL -q -c STATEMENT`. Not every machine that runs the tests has it.

import pg from 'pg'

const [url, ...options] = process.argv.slice(2)
const statement = options[options.indexOf('-c') + 1]
// A server's database for asking after others, as psql finds it by the name of the user.
const client = new pg.Client({ connectionString: `${url}/postgres`, ssl: false })
await client.connect()
try {
  await client.query(statement!)
} finally {
  await client.end()
}
