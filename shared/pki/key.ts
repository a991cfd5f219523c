// Creates keys natively, because node-forge needs seconds for one.
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

const generate = promisify(generateKeyPair)
export const LEAF_BITS = 2048
export const AUTHORITY_BITS = 3072

/** A new RSA private key as PKCS #8 PEM. */
export async function createKey(bits = LEAF_BITS): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: bits })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

/** The public half of a private key, as SPKI PEM. */
export const publicKeyOf = (privateKeyPem: string): string =>
  createPublicKey(createPrivateKey(privateKeyPem)).export({ type: 'spki', format: 'pem' }) as string
