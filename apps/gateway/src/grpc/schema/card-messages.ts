import type { Messages } from './field-notation';

/** Agent cards (A2A 1.0.1, section 4.4). */
const CARD: Messages = {
  AgentCard: {
    name: '1 string',
    description: '2 string',
    supported_interfaces: '3 repeated AgentInterface',
    provider: '4 AgentProvider',
    version: '5 string',
    documentation_url: '6 optional string',
    capabilities: '7 AgentCapabilities',
    security_schemes: '8 map SecurityScheme',
    security_requirements: '9 repeated SecurityRequirement',
    default_input_modes: '10 repeated string',
    default_output_modes: '11 repeated string',
    skills: '12 repeated AgentSkill',
    signatures: '13 repeated AgentCardSignature',
    icon_url: '14 optional string',
  },
  AgentInterface: { url: '1 string', protocol_binding: '2 string', tenant: '3 string', protocol_version: '4 string' },
  AgentProvider: { url: '1 string', organization: '2 string' },
  AgentCapabilities: {
    streaming: '1 optional bool',
    push_notifications: '2 optional bool',
    extensions: '3 repeated AgentExtension',
    extended_agent_card: '4 optional bool',
  },
  AgentExtension: { uri: '1 string', description: '2 string', required: '3 bool', params: '4 Struct' },
  AgentSkill: {
    id: '1 string',
    name: '2 string',
    description: '3 string',
    tags: '4 repeated string',
    examples: '5 repeated string',
    input_modes: '6 repeated string',
    output_modes: '7 repeated string',
    security_requirements: '8 repeated SecurityRequirement',
  },
  AgentCardSignature: { protected: '1 string', signature: '2 string', header: '3 Struct' },
};

/** How callers prove who they are (A2A 1.0.1, section 4.5). */
const SECURITY: Messages = {
  StringList: { list: '1 repeated string' },
  SecurityRequirement: { schemes: '1 map StringList' },
  SecurityScheme: {
    api_key_security_scheme: '1 APIKeySecurityScheme in scheme',
    http_auth_security_scheme: '2 HTTPAuthSecurityScheme in scheme',
    oauth2_security_scheme: '3 OAuth2SecurityScheme in scheme',
    open_id_connect_security_scheme: '4 OpenIdConnectSecurityScheme in scheme',
    mtls_security_scheme: '5 MutualTlsSecurityScheme in scheme',
  },
  APIKeySecurityScheme: { description: '1 string', location: '2 string', name: '3 string' },
  HTTPAuthSecurityScheme: { description: '1 string', scheme: '2 string', bearer_format: '3 string' },
  OAuth2SecurityScheme: { description: '1 string', flows: '2 OAuthFlows', oauth2_metadata_url: '3 string' },
  OpenIdConnectSecurityScheme: { description: '1 string', open_id_connect_url: '2 string' },
  MutualTlsSecurityScheme: { description: '1 string' },
};

const FLOWS: Messages = {
  OAuthFlows: {
    authorization_code: '1 AuthorizationCodeOAuthFlow in flow',
    client_credentials: '2 ClientCredentialsOAuthFlow in flow',
    implicit: '3 ImplicitOAuthFlow in flow',
    password: '4 PasswordOAuthFlow in flow',
    device_code: '5 DeviceCodeOAuthFlow in flow',
  },
  AuthorizationCodeOAuthFlow: {
    authorization_url: '1 string',
    token_url: '2 string',
    refresh_url: '3 string',
    scopes: '4 map string',
    pkce_required: '5 bool',
  },
  ClientCredentialsOAuthFlow: { token_url: '1 string', refresh_url: '2 string', scopes: '3 map string' },
  ImplicitOAuthFlow: { authorization_url: '1 string', refresh_url: '2 string', scopes: '3 map string' },
  PasswordOAuthFlow: { token_url: '1 string', refresh_url: '2 string', scopes: '3 map string' },
  DeviceCodeOAuthFlow: {
    device_authorization_url: '1 string',
    token_url: '2 string',
    refresh_url: '3 string',
    scopes: '4 map string',
  },
};

export const CARD_MESSAGES: Messages = { ...CARD, ...SECURITY, ...FLOWS };
