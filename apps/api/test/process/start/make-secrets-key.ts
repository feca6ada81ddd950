// Makes the key file of a DATA_DIR, as the first start does, and prints the id of the key.

import { createSecretBox } from '../../../src/work/webhooks/secret-box.ts'

const box = createSecretBox({ dataDir: process.argv[2]!, secretsKeys: [] })
box.makeKey()
process.stdout.write(`key ${box.keyIds()[0]}\n`)
