import process from "node:process";
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** The conformance runner's data for a client, beside the scenario's name. */
type Context = Readonly<Record<string, string>>;

/** How a client signs in, and how it learns that a person did. */
export interface SignInWay {
  readonly authProvider: OAuthClientProvider;
  readonly authCallback?: () => Promise<URLSearchParams>;
}

/** The way that a scenario of the conformance runner is about. */
export function signInWay(scenario: string): SignInWay {
  const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;
  const { client_id: clientId = "", client_secret: clientSecret = "" } = context;
  switch (scenario) {
    case "auth/client-credentials-basic":
      return { authProvider: new ClientCredentialsProvider({ clientId, clientSecret }) };
    case "auth/client-credentials-jwt": {
      const { private_key_pem: privateKey = "", signing_algorithm: algorithm = "ES256" } = context;
      return { authProvider: new PrivateKeyJwtProvider({ clientId, privateKey, algorithm }) };
    }
    case "auth/cross-app-access-complete-flow":
      return { authProvider: crossAppAccess(clientId, clientSecret, context) };
    default:
      return signInByBrowser(clientId === "" ? undefined : { client_id: clientId, client_secret: clientSecret });
  }
}

function crossAppAccess(clientId: string, clientSecret: string, context: Context): OAuthClientProvider {
  const { idp_token_endpoint: tokenEndpoint = "", idp_id_token: idToken = "", idp_client_id: idpClient = "" } = context;
  return new CrossAppAccessProvider({
    clientId,
    clientSecret,
    assertion: async ({ authorizationServerUrl: audience, resourceUrl: resource, scope, fetchFn }) => {
      const request = { tokenEndpoint, audience, resource, idToken, clientId: idpClient, fetchFn };
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        ...request,
        ...(scope !== undefined && { scope }),
      });
      return jwtAuthGrant;
    },
  });
}

/** A person who signs in at once, and comes back to an address where nobody listens. */
function signInByBrowser(known: StoredOAuthClientInformation | undefined): SignInWay {
  let client = known;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = "";
  let callback: Promise<URLSearchParams> | undefined;
  const redirectUrl = "http://localhost:3000/callback";
  const clientMetadata: OAuthClientMetadata = {
    client_name: "conformance",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => void (verifier = given),
    redirectToAuthorization(url) {
      callback = fetch(url, { redirect: "manual" }).then(
        (response) => new URL(response.headers.get("location") ?? redirectUrl, url).searchParams,
      );
    },
  };
  return { authProvider, authCallback: () => callback ?? Promise.reject(new Error("Nobody was sent to sign in")) };
}
