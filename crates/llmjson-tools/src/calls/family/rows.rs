//! The families, one row for each, with an example text that the tests parse.

use super::{Pairs, Row, Shape, row};

/// Sources: the chat templates that the makers publish with their models, by the names of the rows.
pub(super) static ROWS: &[Row] = &[
    // Nous Hermes 2 Pro, Qwen 2.5 and 3, Reka.
    row(
        "hermes",
        Shape::Json,
        "qwen hermes reka",
        &["<tool_call>"],
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 3}}\n</tool_call>",
    ),
    // Llama 3.1 to 3.3 (Meta's prompt format): JSON after a token or without one.
    row(
        "llama3",
        Shape::Json,
        "llama-4 llama-3.2 llama meta-llama",
        &["<|python_tag|>"],
        r#"<|python_tag|>get_weather(city="Oslo", days=2)<|eom_id|>"#,
    ),
    // Llama 3.1's user-defined functions: `<function=name>{…}</function>`.
    row(
        "llama-function",
        Shape::Xml,
        "llama meta-llama",
        &[],
        r#"<function=get_weather>{"city": "Oslo", "days": 3}</function>"#,
    ),
    // Llama 4 and Llama 3.2 (Meta's prompt format), OLMo 3.
    row(
        "pythonic",
        Shape::Python,
        "llama-4 llama-3.2 olmo",
        &["<|python_start|>", "<function_calls>"],
        r#"<|python_start|>[get_weather(city="Oslo")]<|python_end|>"#,
    ),
    // Gemma 3n and 4, FunctionGemma.
    row(
        "gemma",
        Shape::Braces,
        "gemma-3n gemma functiongemma",
        &["<|tool_call>", "<start_function_call>"],
        r#"<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:3}<tool_call|>"#,
    ),
    // Gemma 3 (Google's guide to function calling): Python in a fence.
    row(
        "gemma-python",
        Shape::Python,
        "gemma-3",
        &["<tool_code>", "```tool_code"],
        "I look it up.\n```tool_code\nget_weather(city=\"Oslo\", days=3)\n```",
    ),
    // Mistral's tokenizers from version 1 to 13.
    row(
        "mistral",
        Shape::Named,
        "mistral ministral magistral devstral codestral",
        &["[TOOL_CALLS]"],
        r#"[TOOL_CALLS]get_weather {"city": "Oslo"}"#,
    ),
    row(
        "mistral-json",
        Shape::Json,
        "mistral ministral magistral devstral codestral",
        &["[TOOL_CALLS]"],
        r#"[TOOL_CALLS] {"name": "get_weather", "arguments": {"city": "Oslo"}}"#,
    ),
    // DeepSeek V3, V3.1 and R1.
    row(
        "deepseek",
        Shape::Named,
        "deepseek",
        &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
        r#"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"#,
    ),
    // DeepSeek V3.2.
    row(
        "deepseek-dsml",
        Shape::Xml,
        "deepseek-v3.2 deepseek-v4",
        &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    ),
    // Moonshot's Kimi K2.
    row(
        "kimi",
        Shape::Named,
        "kimi",
        &[
            "<|tool_calls_section_begin|>",
            "<|tool_call_section_begin|>",
            "<|tool_call_begin|>",
        ],
        r#"<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>"#,
    ),
    // Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5.
    row(
        "qwen3-coder",
        Shape::Xml,
        "qwen3-coder qwen3.5 qwen step-3.5 nemotron-3",
        &["<tool_call>"],
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
    ),
    // ByteDance Seed-OSS.
    row(
        "seed-oss",
        Shape::Xml,
        "seed-oss",
        &["<seed:tool_call>"],
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n<parameter=days>3</parameter>\n</function>\n</seed:tool_call>",
    ),
    // Zhipu's GLM 4.5 and later.
    row(
        "glm",
        Shape::Pairs,
        "glm-5-flash glm-5.3-flash glm",
        &["<tool_call>"],
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
    ),
    // The small models of version 5 (as serving programs parse them): an exclamation mark and a
    // bracket around the name.
    row(
        "glm-flash",
        Shape::Pairs,
        "glm-5-flash glm-5.3-flash",
        &["<!["],
        r#"<![get_weather>{"city": "Oslo", "days": 3}"#,
    ),
    // MiniMax M2.
    Row {
        has_entities: true,
        ..row(
            "minimax",
            Shape::Xml,
            "minimax",
            &["<minimax:tool_call>"],
            "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n<parameter name=\"days\">3</parameter>\n</invoke>\n</minimax:tool_call>",
        )
    },
    // MiniMax M3 (as serving programs parse it): a token before every tag, and elements for the
    // arguments.
    row(
        "minimax-m3",
        Shape::Xml,
        "minimax-m3",
        &["]<]minimax[>[<tool_call>"],
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[<days>3]<]minimax[>[</days>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
    ),
    // Moonshot's Kimi K3 (as serving programs parse it).
    row(
        "kimi-k3",
        Shape::Xml,
        "kimi-k3",
        &["<|open|>tools<|sep|>", "<|open|>tools"],
        r#"<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>"#,
    ),
    // IBM Granite 3 and 4, GigaChat 3.
    row(
        "granite",
        Shape::Json,
        "granite gigachat",
        &["<|tool_call|>", "<function_call>", "<|function_call|>"],
        r#"<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]"#,
    ),
    // Microsoft Phi 4 mini, Firefunction.
    row(
        "phi",
        Shape::Json,
        "phi firefunction",
        &["functools"],
        r#"functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]"#,
    ),
    // Cohere Command R7B and Command A.
    row(
        "command-r",
        Shape::Json,
        "c4ai-command command",
        &["<|START_ACTION|>"],
        r#"<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}]"#,
    ),
    // InternLM 2 and 2.5.
    row(
        "internlm2",
        Shape::Json,
        "internlm",
        &["<|action_start|>", "<|plugin|>"],
        r#"<|plugin|>{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>"#,
    ),
    // Salesforce xLAM: an array without other text.
    row(
        "xlam",
        Shape::Json,
        "xlam",
        &[],
        r#"[{"name": "get_weather", "arguments": {"city": "Oslo"}}]"#,
    ),
    // Tencent Hunyuan, MiniMax M1, Apriel.
    row(
        "hunyuan",
        Shape::Json,
        "minimax-m1 hunyuan apriel",
        &["<tool_calls>"],
        r#"<tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]"#,
    ),
    // Tencent Hunyuan 4 (as serving programs parse it): every tag has the word of the checkpoint.
    row(
        "hunyuan-v4",
        Shape::Pairs,
        "hunyuan-v4 hy-v4",
        &["<tool_calls:opensource>", "<tool_call:opensource>"],
        "<tool_calls:opensource>\n<tool_call:opensource>get_weather\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Oslo</arg_value:opensource>\n<arg_key:opensource>days</arg_key:opensource>\n<arg_value:opensource>3</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>",
    ),
    // Upstage Solar Open 2 (as serving programs parse it).
    Row {
        pairs: Pairs {
            key: "toolargstart",
            hint: "",
            value: "toolargvalue",
            end: "toolargend",
        },
        ..row(
            "solar-open2",
            Shape::Pairs,
            "solar-open2 solar-open-2",
            &["<|tool_call:start|>"],
            "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Oslo<|tool_arg:end|>\n<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>\n<|tool_call:end|>",
        )
    },
    // IQuest Q1 (as serving programs parse it).
    row(
        "iquest",
        Shape::Pairs,
        "iquest",
        &["<iquest_tool_call>"],
        "<iquest_tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</iquest_tool_call>",
    ),
    // IFM K2 (as serving programs parse it): the type of a value may precede it.
    row(
        "ifm-k2",
        Shape::Pairs,
        "k2-horizon k2-v3",
        &["<ifm|tool_calls>", "<ifm|tool_call>"],
        "<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_value>Oslo</ifm|arg_value>\n<ifm|arg_key>days</ifm|arg_key>\n<ifm|arg_value>3</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>",
    ),
    // PFN PLaMo 3 (as serving programs parse it).
    row(
        "plamo3",
        Shape::Named,
        "plamo",
        &[
            "<|plamo:begin_tool_requests:plamo|>",
            "<|plamo:begin_tool_request:plamo|>",
        ],
        r#"<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"city": "Oslo", "days": 3}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>"#,
    ),
    // Meta Muse (as serving programs parse it).
    row(
        "muse",
        Shape::Xml,
        "muse",
        &["<atem:function_calls>"],
        "<atem:function_calls>\n<atem:invoke name=\"get_weather\">\n<atem:parameter name=\"city\">Oslo</atem:parameter>\n<atem:parameter name=\"days\">3</atem:parameter>\n</atem:invoke>\n</atem:function_calls>",
    ),
    // StepFun Step 3.
    row(
        "step3",
        Shape::Xml,
        "step3 step-3",
        &["<｜tool_calls_begin｜>", "<｜tool_call_begin｜>"],
        r#"<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>"#,
    ),
    // Liquid LFM2.
    row(
        "lfm2",
        Shape::Python,
        "lfm2",
        &["<|tool_call_start|>"],
        r#"<|tool_call_start|>[get_weather(city="Oslo", days=3)]<|tool_call_end|>"#,
    ),
    // OpenAI gpt-oss.
    row(
        "harmony",
        Shape::Channel,
        "gpt-oss",
        &[],
        r#"<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>"#,
    ),
    // Anthropic's format in text, and others with `<invoke name="…">`.
    row(
        "anthropic",
        Shape::Xml,
        "",
        &["<function_calls>"],
        "<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n<parameter name=\"days\">3</parameter>\n</invoke>\n</function_calls>",
    ),
    // LangChain's agents and their successors.
    row(
        "react",
        Shape::Action,
        "",
        &[],
        "Thought: I need the weather.\nAction: get_weather\nAction Input: {\"city\": \"Oslo\"}",
    ),
    // Meituan LongCat.
    row(
        "longcat",
        Shape::Json,
        "longcat",
        &["<longcat_tool_call>"],
        r#"<longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</longcat_tool_call>"#,
    ),
    // Swiss AI Apertus.
    row(
        "apertus",
        Shape::Json,
        "apertus",
        &["<|tools_prefix|>"],
        r#"<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}]<|tools_suffix|>"#,
    ),
    // NVIDIA Nemotron Nano 2.
    row(
        "nemotron",
        Shape::Json,
        "nemotron",
        &["<TOOLCALL>"],
        r#"<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>"#,
    ),
    // MeetKai Functionary 3; 3.2 has `>>>name` on a separate line.
    row(
        "functionary",
        Shape::Named,
        "functionary",
        &["<|recipient|>"],
        ">>>get_weather\n{\"city\": \"Oslo\"}",
    ),
    // Models tuned on Glaive's function-calling-v2 (its data set card): arguments as text.
    row(
        "glaive",
        Shape::Json,
        "",
        &["<functioncall>"],
        r#"<functioncall> {"name": "get_weather", "arguments": '{"city": "Oslo", "days": 3}'} <|endoftext|>"#,
    ),
    // Thinking Machines.
    row(
        "inkling",
        Shape::Json,
        "",
        &["<|content_invoke_tool_json|>"],
        r#"<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Oslo"}}<|end_message|>"#,
    ),
    // Calls in brackets, the format of agents that imitate a transcript.
    row(
        "bracketed",
        Shape::Python,
        "",
        &["[Calling tool:"],
        r#"[Calling tool: get_weather(city="Oslo")]"#,
    ),
    // Agents whose prompt requires a certain fence or tag.
    row(
        "fenced",
        Shape::Json,
        "",
        &["```tool", "```tool_call", "```tool_calls", "<tool>"],
        "```tool_call\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n```",
    ),
    // JSON without other text.
    row(
        "json",
        Shape::Json,
        "",
        &[],
        r#"{"name": "get_weather", "arguments": {"city": "Oslo"}}"#,
    ),
];
