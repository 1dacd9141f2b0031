import type { Model } from "../agent/model.ts";
import { renameScript } from "../scripted/rename-script.ts";
import { createScriptedModel } from "../scripted/scripted-model.ts";
import { createAnthropicModel } from "./anthropic-model.ts";
import { createOpenAiChatModel } from "./openai-chat-model.ts";
import { createOpenAiResponsesModel } from "./openai-responses-model.ts";
import { retryingModel } from "./retrying-model.ts";
import { silenceOf } from "./silence.ts";

/** The variables that say which model there is. The SDKs read the keys by themselves. */
export type ModelEnvironment = Readonly<
  Partial<Record<"ANTHROPIC_API_KEY" | "OPENAI_API_KEY" | "OPENAI_BASE_URL", string>>
>;

/** The model used if only a provider is named. */
const DEFAULT_MODELS: Readonly<Record<string, string>> = { anthropic: "claude-opus-5-5", openai: "gpt-5.5" };

/**
 * The named model, else one that a key exists for, else the scripted one.
 *
 * @param named `scripted`, `anthropic`, `openai`, or one of the latter with a name, as in `anthropic:NAME`.
 * @param maxSilence Seconds without a byte after which an answer counts as broken off.
 * @throws {Error} When it cannot be used, with the missing requirement.
 */
export async function chooseModel(
  named: string | undefined,
  environment: ModelEnvironment,
  maxSilence?: number,
): Promise<Model> {
  const { ANTHROPIC_API_KEY: anthropicKey, OPENAI_API_KEY: openAiKey, OPENAI_BASE_URL: baseUrl } = environment;
  const chosen = named ?? (anthropicKey ? "anthropic" : openAiKey || baseUrl ? "openai" : "scripted");
  const [provider = "", ...rest] = chosen.split(":");
  const name = rest.join(":") || DEFAULT_MODELS[provider] || "";
  const refuse = (why: string): Error => new Error(`Cannot use the model ${chosen}: ${why}`);

  const silence = silenceOf(maxSilence);

  if (chosen === "scripted") return createScriptedModel(renameScript);
  if (provider === "anthropic") {
    if (!anthropicKey) throw refuse("ANTHROPIC_API_KEY is not set");
    return retryingModel(await createAnthropicModel(name, silence));
  }
  if (provider === "openai" && baseUrl) {
    if (rest.length === 0) throw refuse("OPENAI_BASE_URL is set; name a model of that server, as in openai:NAME");
    return retryingModel(await createOpenAiChatModel(name, baseUrl, silence));
  }
  if (provider === "openai") {
    if (!openAiKey) throw refuse("neither OPENAI_API_KEY nor OPENAI_BASE_URL is set");
    return retryingModel(await createOpenAiResponsesModel(name, silence));
  }
  throw refuse("allowed are scripted, anthropic:NAME and openai:NAME");
}
