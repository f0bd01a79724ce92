/** Of the issuer and the app, which are in different processes. */
export const ISSUER = 'https://auth.example.com';
export const AUDIENCE = 'https://api.example.com';
export const API_KEY = 'the-key-of-the-guarded-app';
