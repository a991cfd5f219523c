// node-forge with the parts that certificates need: its main file also loads TLS, PKCS #7 and #12, SSH and ciphers that nothing here uses.
import type Forge from 'node-forge'
import loaded from 'node-forge/lib/forge.js'
import 'node-forge/lib/md.all.js'
import 'node-forge/lib/x509.js'

type Used = Pick<typeof Forge, 'pki' | 'md' | 'asn1' | 'jsbn'>
/** The functions for certificates, digests and ASN.1. */
export const forge: Used = loaded
