import { WebhookRefusedError, WebhookUnresolvedError } from '../errors';
import { allowedAddresses, resolveAndCheck } from './resolve';
import { checkUrl, type WebhookPolicy } from './webhook-url';

const strict: WebhookPolicy = { allowPrivate: false, ports: [443, 8443] };
const development: WebhookPolicy = { allowPrivate: true, ports: [443, 8443] };

const NOT_PUBLIC = /^must have a host that is public$/;
const ABSOLUTE = /^must be an absolute https URL$/;
const DISGUISED = /^must have (a host that is written plainly|an address in its usual form, or a name)$/;
const NO_NAME = /^must have a host of at most 253 characters: labels of 1 to 63 letters, digits and inner hyphens$/;
const UNPRINTABLE = /^must be without spaces and control characters$/;

/** Where clouds tell their machines who they are: refused to everybody. */
const metadata: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '168.63.129.16',
  '100.80.80.80',
  '100.88.222.5',
  '100.96.0.96',
  '100.100.100.200',
  '192.0.0.192',
  '192.80.8.124',
  '198.18.96.191',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
  '[fd00:42::42]',
  '[fd00:c1::a9fe:a9fe]',
  '[fd00:a9fe:a9fe::1]',
  '[fd00:100::100:200]',
  '[fe80::a9fe:a9fe]',
  '[::ffff:168.63.129.16]',
  '[64:ff9b::a83f:8110]',
  '[2002:a83f:8110::]',
  'metadata',
  'instance-data',
  'metadata.google.internal',
  'METADATA.Google.Internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.oraclecloud.com',
  'metadata.digitalocean.com',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.metadata.cloud.ibm.com',
  'instance-data.ec2.internal',
  'rancher-metadata.rancher.internal',
];

/** What no receiver is called: refused to everybody. */
const nameless: readonly string[] = [
  'a..b',
  'hooks..example.com',
  '.example.com',
  '-a.com',
  'a-.com',
  'hooks.-a.com',
  '*.example.com',
  '*',
  'a*b.com',
  'hooks!.com',
  "hooks'.com",
  'hooks,example.com',
  'hooks;example.com',
  'hooks(1).com',
  'hooks~.com',
  'hooks$.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
];

const refused: readonly (readonly [url: string, reason: RegExp])[] = [
  // What is no https URL
  ['', ABSOLUTE],
  ['hooks.example.com', ABSOLUTE],
  ['//hooks.example.com/', ABSOLUTE],
  ['https:hooks.example.com', ABSOLUTE],
  ['https:///hooks.example.com', ABSOLUTE],
  ['https://', ABSOLUTE],
  ['http://hooks.example.com/', ABSOLUTE],
  ['ftp://hooks.example.com/', ABSOLUTE],
  ['file:///etc/passwd', ABSOLUTE],
  ['gopher://hooks.example.com/', ABSOLUTE],
  ['javascript:alert(1)', ABSOLUTE],
  ['data:text/plain,hello', ABSOLUTE],
  ['https://[::1', ABSOLUTE],
  ['https://[fe80::1%25eth0]/', ABSOLUTE],
  ['https://[fe80::1%eth0]/', ABSOLUTE],
  ['https://999.1.1.1/', ABSOLUTE],
  ['https://hooks.example.com:99999/', ABSOLUTE],
  [`https://hooks.example.com/${'a'.repeat(2_048)}`, /^must have at most 2048 characters$/],
  // What hides where it leads
  [' https://hooks.example.com/', UNPRINTABLE],
  ['https://hooks.example.com/\n', UNPRINTABLE],
  ['https://hooks.example.com/\r\nHost: other', UNPRINTABLE],
  ['ht\ttps://hooks.example.com/', UNPRINTABLE],
  ['https://hooks.example.com/\u0000', UNPRINTABLE],
  ['https://hooks\u200b.example.com/', UNPRINTABLE],
  ['https://user:secret@hooks.example.com/', /^must hold no credentials$/],
  ['https://hooks.example.com@127.0.0.1/', /^must hold no credentials$/],
  ['https://@hooks.example.com/', /^must hold no credentials$/],
  ['https://hooks.example.com/#', /^must have no fragment$/],
  ['https://hooks.example.com/#@127.0.0.1', /^must have no fragment$/],
  ['https://hooks.example.com\\@127.0.0.1/', /^must hold no credentials$/],
  ['https://hooks.example.com\\.127.0.0.1/', DISGUISED],
  ['https://%6c%6f%63alhost/', DISGUISED],
  ['https://hooks.example.com./', DISGUISED],
  ['https://localhost./', DISGUISED],
  ['https://127.0.0.1./', DISGUISED],
  ['https://127。0。0。1/', DISGUISED],
  ['https://hooks．example．com/', DISGUISED],
  ['https://hooks｡example｡com/', DISGUISED],
  ['https://2130706433/', DISGUISED],
  ['https://0177.0.0.1/', DISGUISED],
  ['https://0x7f.0.0.1/', DISGUISED],
  ['https://0x7f000001/', DISGUISED],
  ['https://127.1/', DISGUISED],
  ['https://127.0.1/', DISGUISED],
  ['https://１２７.0.0.1/', DISGUISED],
  ['https://134744072/', DISGUISED],
  ['https://0/', DISGUISED],
  // Ports
  ['https://hooks.example.com:22/', /^must have one of the ports 443, 8443$/],
  ['https://hooks.example.com:80/', /^must have one of the ports 443, 8443$/],
  ['https://hooks.example.com:6379/', /^must have one of the ports 443, 8443$/],
  ['https://hooks.example.com:0/', /^must have one of the ports 443, 8443$/],
  // Names of this machine, of networks and of clouds
  ...[
    'localhost',
    'LOCALHOST',
    'ⓛocalhost',
    'api.localhost',
    'printer.local',
    'metadata',
    'metadata.google.internal',
    'metadata.tencentyun.com',
    'instance-data.ec2.internal',
    'vault.internal',
    'nats',
    'gateway.tidemark.svc',
    'gateway.tidemark.svc.cluster.local',
    'router.home.arpa',
    'wiki.corp',
    'nas.lan',
    'hooks.test',
    'test',
    'hooks.example',
    'hooks.invalid',
    'hooks.alt',
    'hooks.onion',
    'ipv4only.arpa',
    '1.1.168.192.in-addr.arpa',
  ].map((host) => [`https://${host}/`, NOT_PUBLIC] as const),
  // Addresses that are not public
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:8.8.8.8]',
    '[::ffff:0:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::1]',
    '[100::1]',
    '[2001::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[2002:808:808::]',
    '[3fff::1]',
    '[4000::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    ...metadata,
  ].map((host) => [`https://${host}/`, NOT_PUBLIC] as const),
  // What is no name of a host
  ...nameless.map((host) => [`https://${host}/`, NO_NAME] as const),
];

describe('the URL of a webhook', () => {
  it.each(refused)('may not be %j', (url, reason) => {
    expect(() => checkUrl(url, strict)).toThrow(WebhookRefusedError);
    expect(() => checkUrl(url, strict)).toThrow(reason);
  });

  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['HTTPS://Hooks.Example.COM/A2A?x=1', 'https://hooks.example.com/A2A?x=1'],
    ['https://hooks.example.com:8443/a', 'https://hooks.example.com:8443/a'],
    ['https://hooks.example.com:443/a', 'https://hooks.example.com/a'],
    ['https://hooks.example.com/%2e/@b', 'https://hooks.example.com/@b'],
    ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'],
    ['https://my_team.example.com/', 'https://my_team.example.com/'],
    ['https://example.com/', 'https://example.com/'],
    ['https://test.com/', 'https://test.com/'],
    ['https://onion.example.com/', 'https://onion.example.com/'],
    [`https://${'a'.repeat(63)}.com/`, `https://${'a'.repeat(63)}.com/`],
    [`https://${'a.'.repeat(125)}com/`, `https://${'a.'.repeat(125)}com/`],
    ['https://168.63.129.17/', 'https://168.63.129.17/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://172.32.0.1/', 'https://172.32.0.1/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('may be %j, which is called as %j', (url, called) => {
    expect(checkUrl(url, strict).href).toBe(called);
  });

  it.each([
    'http://localhost:8888/webhook',
    'http://127.0.0.1:9999/',
    'http://[::1]:1/',
    'http://host.docker.internal/',
    'http://receiver:3000/',
    'http://my_receiver:3000/',
    'http://hooks.test/',
    'http://hooks.example/',
    'http://hooks.invalid/',
    'http://nas.local/',
    'https://192.168.1.5/',
    'http://100.64.0.1/',
    'http://100.100.100.201/',
    'http://[fd00::1]/',
  ])('may be %j in development', (url) => {
    expect(checkUrl(url, development).href).toBe(url);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://0.0.0.0/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://224.0.0.1/',
    'http://user@localhost/',
    'http://localhost/#x',
    'http://2130706433/',
    'ftp://localhost/',
    'http://hooks.onion/',
    ...[...metadata, ...nameless].map((host) => `http://${host}/`),
  ])('may not be %j, not even in development', (url) => {
    expect(() => checkUrl(url, development)).toThrow(WebhookRefusedError);
  });
});

const at =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('the host of a webhook', () => {
  it('is looked up, unless it is an address', async () => {
    const asked: string[] = [];
    const lookup = async (name: string) => (asked.push(name), at('8.8.8.8', '2606:4700::1')());
    expect((await resolveAndCheck('https://bücher.example.com/x', strict, lookup)).host).toBe(
      'xn--bcher-kva.example.com',
    );
    await resolveAndCheck('https://8.8.8.8/', strict, lookup);
    await resolveAndCheck('https://[2606:4700::1]/', strict, lookup);
    expect(asked).toEqual(['xn--bcher-kva.example.com']);
  });

  it.each([
    ['one private address', at('10.0.0.1')],
    ['a private address among public ones', at('8.8.8.8', '127.0.0.1', '1.1.1.1')],
    ['a mapped address', at('::ffff:10.0.0.1')],
    ['a link-local address with a zone', at('fe80::1%eth0')],
    ['what is no address', at('nonsense')],
    ['an address where a cloud keeps its secrets', at('168.63.129.16')],
  ])('may not have %s', async (_, lookup) => {
    const check = resolveAndCheck('https://hooks.example.com/', strict, lookup);
    await expect(check).rejects.toThrow(WebhookRefusedError);
    await expect(check).rejects.toThrow(NOT_PUBLIC);
  });

  it('may be at a private address in development, and not where clouds keep their secrets', async () => {
    await resolveAndCheck('http://receiver/', development, at('172.17.0.1', 'fd00::1'));
    for (const address of ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254']) {
      const check = resolveAndCheck('http://receiver/', development, at('172.17.0.1', address));
      await expect(check).rejects.toThrow(NOT_PUBLIC);
    }
  });

  it.each([
    ['has no address', at()],
    ['is unknown', () => Promise.reject(new Error('getaddrinfo ENOTFOUND hooks.example.com'))],
  ])('is let in where it %s, and not called', async (_, lookup) => {
    await expect(resolveAndCheck('https://hooks.example.com/', strict, lookup)).resolves.toBeInstanceOf(URL);
    const call = allowedAddresses('hooks.example.com', strict, lookup);
    await expect(call).rejects.toThrow(WebhookUnresolvedError);
    await expect(call).rejects.toThrow('must have a host that can be resolved; it cannot at the moment');
  });
});
