// A real OpenID provider on this machine: the library oidc-provider with people in memory.
//
//   node provider.mjs FOLDER-WITH-NODE_MODULES PORT CALLBACK HOME SECRET ALGORITHM
//
// Anybody signs in by name; PUT /people/NAME sets the claims that person has.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, port, callback, home, secret, algorithm] = process.argv.slice(2);
const found = createRequire(`${folder}/`).resolve('oidc-provider');
const { default: Provider } = await import(pathToFileURL(found).href);

const people = new Map();
const key = (kind, options, alg) => ({
  ...generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' }),
  kid: alg,
  alg,
  use: 'sig',
});

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'gpuyard',
      client_secret: secret,
      redirect_uris: [callback],
      post_logout_redirect_uris: [home],
      id_token_signed_response_alg: algorithm,
    },
  ],
  jwks: {
    keys: [key('rsa', { modulusLength: 2048 }, 'RS256'), key('ec', { namedCurve: 'P-256' }, 'ES256')],
  },
  cookies: { keys: ['test'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true, methods: ['S256'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
});

const answer = provider.callback();
createServer((request, response) => {
  const person = /^\/people\/(.+)$/.exec(request.url ?? '');
  if (request.method !== 'PUT' || !person) return answer(request, response);
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    people.set(person[1], JSON.parse(body));
    response.writeHead(204).end();
  });
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
