/** What the tests use of it: the package has no types. */
declare module 'oidc-provider' {
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): import('node:http').RequestListener;
  }
}
