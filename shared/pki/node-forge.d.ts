// Files of the package that are loaded without its main file. Each adds its functions to the object of the first.
declare module 'node-forge/lib/forge.js' {
  import forge from 'node-forge'
  export = forge
}
declare module 'node-forge/lib/md.all.js'
declare module 'node-forge/lib/x509.js'
