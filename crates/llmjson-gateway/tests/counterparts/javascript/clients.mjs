// Clients in JavaScript. Each line of standard input asks for one conversation, `{question, weather, schema, client, base,
// model, isCall, isStreamed}`, and is answered with one line: `{found}` or `{name, message}` of an error.
import { createInterface } from "node:readline";

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";

globalThis.AI_SDK_LOG_WARNINGS = false;
const apiKey = "none";

async function openaiChat({ question, weather, schema, base, model, isCall, isStreamed }) {
    const client = new OpenAI({ baseURL: base, apiKey, maxRetries: 0 });
    const messages = [{ role: "user", content: question }];
    const ask = async (options) => {
        const body = { model, messages, ...options };
        const completion = isStreamed
            ? await client.chat.completions.stream(body).finalChatCompletion()
            : await client.chat.completions.create(body);
        return completion.choices[0].message;
    };
    if (!isCall) {
        const format = { type: "json_schema", json_schema: { name: "trip", schema } };
        return JSON.parse((await ask({ response_format: format })).content);
    }
    const tools = [{ type: "function", function: { name: "weather", parameters: schema } }];
    const message = await ask({ tools });
    const [call] = message.tool_calls;
    const { parsed, ...first } = message;
    messages.push(first, { role: "tool", tool_call_id: call.id, content: weather });
    return [JSON.parse(call.function.arguments), (await ask({ tools })).content];
}

async function openaiResponses({ question, weather, schema, base, model, isCall, isStreamed }) {
    const client = new OpenAI({ baseURL: base, apiKey, maxRetries: 0 });
    const input = [{ role: "user", content: question }];
    const ask = (options) => {
        const body = { model, input, ...options };
        return isStreamed ? client.responses.stream(body).finalResponse() : client.responses.create(body);
    };
    if (!isCall) {
        return JSON.parse((await ask({ text: { format: { type: "json_schema", name: "trip", schema } } })).output_text);
    }
    const tools = [{ type: "function", name: "weather", parameters: schema, strict: false }];
    const { output } = await ask({ tools });
    const call = output.find((item) => item.type === "function_call");
    input.push(...output.map(({ parsed_arguments, ...item }) => item));
    input.push({ type: "function_call_output", call_id: call.call_id, output: weather });
    return [JSON.parse(call.arguments), (await ask({ tools })).output_text];
}

/** The Vercel AI SDK, whose loop runs the tool. */
async function aiSdk(languageModel, { question, weather, schema, isCall, isStreamed }) {
    const given = [];
    const execute = async (input) => {
        given.push(input);
        return weather;
    };
    const inputSchema = jsonSchema(schema, { validate: (value) => checked(schema, value) });
    const options = {
        model: languageModel,
        prompt: question,
        maxRetries: 0,
        providerOptions: { anthropic: { structuredOutputMode: "outputFormat" } },
        ...(isCall
            ? { tools: { weather: tool({ inputSchema, execute }) }, stopWhen: stepCountIs(2) }
            : { output: Output.object({ schema: inputSchema }) }),
    };
    let failure;
    const onError = ({ error }) => (failure = error);
    const result = isStreamed ? streamText({ ...options, onError }) : await generateText(options);
    try {
        const text = await result.text;
        return isCall ? [given[0] ?? null, text] : await result.output;
    } catch (error) {
        throw failure ?? error;
    }
}

/** Checks the types of the members, as the schemas of users do. */
function checked(schema, value) {
    const wrong = Object.entries(schema.properties).find(
        ([name, { type }]) => typeof value?.[name] !== (type === "integer" ? "number" : type),
    );
    return wrong ? { success: false, error: new TypeError(`${wrong[0]} is no ${wrong[1].type}`) } : { success: true, value };
}

const clients = {
    openai_js: openaiChat,
    openai_js_responses: openaiResponses,
    ai_sdk: (asked) => {
        const settings = { name: "one", baseURL: asked.base, apiKey, supportsStructuredOutputs: true };
        return aiSdk(createOpenAICompatible(settings)(asked.model), asked);
    },
    ai_sdk_openai: (asked) => aiSdk(createOpenAI({ baseURL: asked.base, apiKey }).chat(asked.model), asked),
    ai_sdk_responses: (asked) => aiSdk(createOpenAI({ baseURL: asked.base, apiKey }).responses(asked.model), asked),
    ai_sdk_anthropic: (asked) => aiSdk(createAnthropic({ baseURL: asked.base, apiKey })(asked.model), asked),
};

// Rejections that no caller takes are those of the streams that failed, which are answered already.
process.on("unhandledRejection", () => {});
for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    let answer;
    try {
        answer = { found: await clients[asked.client](asked) };
    } catch (error) {
        answer = { name: error.name ?? "Error", message: String(error.message ?? error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
